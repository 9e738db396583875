// gardener: grows its largest region into the free land that it can reach; as player 2 plants hedges across the other's.
//
// Style: C++17, std::getline and a string stream a line, bit sets for the two players' cells, breadth-first search for
// how far each free cell lies from a region. Build: c++ -O2 -std=c++17 -o gardener gardener.cpp
#include <algorithm>
#include <bitset>
#include <deque>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int side = 16;
constexpr int cells = side * side;
using Land = std::bitset<cells>;

std::vector<int> around(int cell)
{
    std::vector<int> found;
    if (cell >= side) found.push_back(cell - side);
    if (cell % side) found.push_back(cell - 1);
    if (cell % side < side - 1) found.push_back(cell + 1);
    if (cell < cells - side) found.push_back(cell + side);
    return found;
}

Land region(const Land &land, int start)
{
    Land found;
    std::deque<int> open{start};
    found.set(start);
    while (!open.empty()) {
        const int here = open.front();
        open.pop_front();
        for (int near : around(here))
            if (land[near] && !found[near]) {
                found.set(near);
                open.push_back(near);
            }
    }
    return found;
}

Land largest(const Land &land)
{
    Land left = land, best;
    for (int cell = 0; cell < cells; cell++)
        if (left[cell]) {
            const Land found = region(land, cell);
            left &= ~found;
            if (found.count() > best.count()) best = found;
        }
    return best;
}

class Garden {
public:
    explicit Garden(int number) : starter(number == 1) {}

    void other(int cell) { (starter ? seconds : firsts).set(cell); }

    int plant()
    {
        const int cell = choose();
        (starter ? firsts : seconds).set(cell);
        return cell;
    }

private:
    bool starter;
    Land firsts, seconds;

    int choose() const
    {
        const Land free = ~(firsts | seconds);
        const Land home = largest(firsts);
        std::optional<int> best;
        int most = -1;
        for (int cell = 0; cell < cells; cell++) {
            if (!free[cell]) continue;
            const int value = score(cell, free, home);
            if (value > most) {
                most = value;
                best = cell;
            }
        }
        return best.value();
    }

    // Beside the largest region first; then the more free cells around the better; then near the middle.
    static int score(int cell, const Land &free, const Land &home)
    {
        int touching = 0, open = 0;
        for (int near : around(cell)) {
            touching |= home[near];
            open += free[near];
        }
        const int row = cell / side, column = cell % side;
        const int inward = std::min(std::min(row, side - 1 - row), std::min(column, side - 1 - column));
        return 1000 * touching + 50 * open + inward;
    }
};

} // namespace

int main()
{
    std::string line;
    if (!std::getline(std::cin, line)) return 0;
    const int number = std::stoi(line);
    std::cout << "Gardener" << std::endl;
    Garden garden(number);
    for (int turn = 0; turn < cells / 2; turn++) {
        if (turn > 0 || number == 2) {
            if (!std::getline(std::cin, line) || std::cin.eof()) return 0;
            int row = 0, column = 0;
            std::istringstream(line) >> row >> column;
            garden.other((row - 1) * side + column - 1);
        }
        const int cell = garden.plant();
        std::cout << cell / side + 1 << ' ' << cell % side + 1 << std::endl;
    }
}
