// Faulty bots in C++, named by their argument: `faults-cpp va-12-cpp-setw`.
//
// The correct bot takes the last free cell of its first row that has one. Each fault is one of the places marked FAULT.
// Build: c++ -O1 -std=c++17 -o faults-cpp faults.cpp
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace {

constexpr int side = 16;
std::string fault;

bool is(const char *name)
{
    return fault == name;
}

struct Cell {
    int row, column;
};

class Player {
public:
    explicit Player(int number) : number(number), board(side * side, false) {}

    void told(Cell cell)
    {
        last = cell;
        if (is("va-5-cpp-marks-last-only")) // FAULT: the mark of the move before is taken away
            std::replace(others.begin(), others.end(), true, false);
        (is("va-5-cpp-marks-last-only") ? others : board)[index(cell)] = true;
    }

    void move()
    {
        const Cell cell = choose();
        board[index(cell)] = true;
        made++;
        say(cell);
    }

    int made = 0;

private:
    int number;
    std::vector<bool> board, others = std::vector<bool>(side * side, false);
    Cell last{0, 0};

    static std::size_t index(Cell cell)
    {
        return static_cast<std::size_t>((cell.row - 1) * side + cell.column - 1);
    }

    bool is_free(Cell cell) const { return !board[index(cell)] && !others[index(cell)]; }

    std::vector<Cell> free_cells() const
    {
        std::vector<Cell> found;
        for (int row = 1; row <= side; row++)
            for (int column = side; column > 0; column--)
                if (is_free({row, column})) found.push_back({row, column});
        return found;
    }

    std::vector<Cell> near() const
    {
        std::vector<Cell> found;
        for (Cell cell : free_cells())
            if (std::abs(cell.row - last.row) + std::abs(cell.column - last.column) == 1) found.push_back(cell);
        return found;
    }

    Cell choose() const
    {
        const auto cells = free_cells();
        if (is("va-9-cpp-pointers")) { // FAULT: addresses are others in each run
            const auto bucket = [](const Cell &cell) { return std::hash<const Cell *>{}(&cell) % 31; };
            return *std::min_element(cells.begin(), cells.end(),
                                     [&](const Cell &a, const Cell &b) { return bucket(a) < bucket(b); });
        }
        if (is("va-10-cpp-at-0") && last.row && made > 20) // FAULT: there may be no free cell beside the last move
            return near().at(0);
        if (is("va-5-cpp-start-value") && last.row && near().empty()) // FAULT: {1, 1} means that nothing was found
            return {1, 1};
        return cells.empty() ? Cell{1, 1} : cells.front();
    }

    void say(Cell cell) const
    {
        if (is("va-12-cpp-setw")) // FAULT: padded with spaces
            std::cout << std::setw(2) << cell.row << std::setw(3) << cell.column << std::endl;
        else
            std::cout << cell.row << ' ' << cell.column << std::endl;
    }
};

bool read(Cell &cell)
{
    return static_cast<bool>(std::cin >> cell.row >> cell.column);
}

int play()
{
    int number = 0;
    if (!(std::cin >> number)) return 0;
    std::cout << (is("va-2-cpp-number") ? "Cpp" + std::to_string(number) : "Cpp") << std::endl; // FAULT: Cpp1, Cpp2
    Player player(number);
    const bool first = is("va-3-cpp-assigns") ? (number = 1) : number == 1; // FAULT: = for ==
    for (Cell cell; player.made < side * side / 2;) {
        if (player.made > 0 || !first) {
            if (!read(cell)) return 0;
            player.told(cell);
        }
        player.move();
    }
    if (is("va-6-cpp-terminate")) throw std::runtime_error("the board is full"); // FAULT: nobody catches it
    return 0;
}

} // namespace

int main(int count, char **words)
{
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none); // some die on purpose
    std::cin.tie(nullptr);
    if (count > 1) fault = words[1];
    return play();
}
