// Faulty bots in C++, named by their argument: `faults-cpp pd-2.12-cpp-stoull`.
//
// The correct bot leads with one card when it holds 2, 3, 5 or 7, and passes otherwise, which is always allowed.
// Each fault is one of the places marked FAULT. Build: c++ -O1 -std=c++17 -o faults-cpp faults.cpp
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

static std::string fault;

// ---- reading ----

static std::size_t past_blanks(const std::string &text, std::size_t place)
{
    return std::min(text.find_first_not_of(" \t", place), text.size());
}

static std::size_t past_string(const std::string &text, std::size_t place)
{
    for (place++; place < text.size() && text[place] != '"'; place++)
        place += text[place] == '\\';
    return place + 1;
}

/* Where the value of a key of the message itself begins, not of an object inside it; npos when it has none. */
static std::size_t value_of(const std::string &text, const std::string &key)
{
    int depth = 0;
    for (std::size_t place = 0; place < text.size(); place++) {
        depth += (text[place] == '{' || text[place] == '[') - (text[place] == '}' || text[place] == ']');
        if (text[place] != '"')
            continue;
        std::size_t end = past_string(text, place), after = past_blanks(text, end);
        if (depth == 1 && after < text.size() && text[after] == ':'
            && text.compare(place, end - place, '"' + key + '"') == 0)
            return past_blanks(text, after + 1);
        place = end - 1;
    }
    return std::string::npos;
}

/* The array that is the value of a key, with its brackets. */
static std::string array_of(const std::string &text, const std::string &key)
{
    std::size_t start = value_of(text, key), place = start;
    int depth = 0;
    for (; place < text.size(); place++) {
        if (text[place] == '"')
            place = past_string(text, place) - 1;
        else
            depth += (text[place] == '[') - (text[place] == ']');
        if (!depth)
            return text.substr(start, place + 1 - start);
    }
    return "[]";
}

static std::string action_of(const std::string &text)
{
    std::size_t start = value_of(text, "action");
    return start < text.size() && text[start] == '"' ? text.substr(start + 1, past_string(text, start) - start - 2) : "";
}

static std::vector<std::string> strings_of(const std::string &array)
{
    std::vector<std::string> found;
    for (std::size_t place = 0; place < array.size(); place++)
        if (array[place] == '"') {
            std::size_t end = past_string(array, place);
            found.push_back(array.substr(place + 1, end - place - 2));
            place = end - 1;
        }
    return found;
}

static std::vector<int> cards_of(const std::string &array)
{
    std::vector<int> cards;
    for (char c : array)
        if (c >= '0' && c <= '9')
            cards.push_back(c - '0');
    return cards;
}

// ---- playing ----

static std::vector<int> books; // of pd-3.1-cpp-own-books

static void say(const std::string &text)
{
    if (fault == "io-4-cpp-no-endl")
        std::cout << text << '\n'; // FAULT: nothing flushes it
    else
        std::cout << text << std::endl;
}

static void check_record(const std::string &record)
{
    static const std::map<std::string, int> known = {{"OK", 0}, {"PASSED", 1}, {"MERSENNE", 2}, {"BELPHEGOR", 3}};
    int depth = 0, strings = 0;
    for (std::size_t place = 0; place < record.size(); place++) {
        depth += (record[place] == '[') - (record[place] == ']');
        strings = record[place] == '[' && depth == 2 ? 0 : strings;
        if (record[place] == '"') {
            std::size_t end = past_string(record, place);
            if (depth == 2 && ++strings == 2)
                known.at(record.substr(place + 1, end - place - 2)); // FAULT: a status may be an ERROR
            place = end - 1;
        }
    }
}

static void init(const std::string &line)
{
    std::array<int, 4> left{};
    if (fault == "pd-2.10-cpp-array-of-4")
        for (std::size_t seat = 0; seat < strings_of(array_of(line, "names")).size(); seat++)
            left.at(seat) = 199; // FAULT: more than four may sit at the table
    books = cards_of(array_of(line, "hand"));
    say("");
}

static void play(const std::string &line)
{
    std::vector<int> hand = cards_of(array_of(line, "hand"));
    std::vector<std::string> numbers = strings_of(array_of(line, "numbers"));
    if (fault == "io-5-cpp-cout-debug")
        std::cout << "hand: " << hand.size() << std::endl; // FAULT: std::cerr was meant
    if (fault == "pd-2.12-cpp-stoull")
        for (const auto &number : numbers)
            std::stoull(number); // FAULT: throws from 20 digits on
    if (fault == "pd-2.12-cpp-stoi" && !numbers.empty())
        std::stoi(numbers.back()); // FAULT: throws from 10 digits on
    if (fault == "pd-2.13-cpp-map-at")
        check_record(array_of(line, "record"));
    if (fault == "pd-3.1-cpp-own-books")
        hand = books; // FAULT: what was played stays in its books
    for (int card : hand)
        if (numbers.empty() && (card == 2 || card == 3 || card == 5 || card == 7))
            return say("{\"action\": \"number\", \"cards\": [" + std::to_string(card) + "]}");
    say("{\"action\": \"pass\"}");
}

static void notice(const std::string &line)
{
    std::vector<int> draw = cards_of(array_of(line, "draw"));
    books.insert(books.end(), draw.begin(), draw.end());
    if (fault == "pd-2.6-cpp-five-draws")
        draw.at(4); // FAULT: fewer than five may be drawn
    say("");
}

static void answer(const std::string &line)
{
    std::string action = action_of(line);
    if (action == "init")
        init(line);
    else if (action == "play")
        play(line);
    else if (action == "pass")
        notice(line);
    else
        say("");
    if (action == "quit")
        std::exit(0);
}

// ---- the loop ----

static void by_words() // FAULT: `cin >> word` finds the action only where the spaces are as they always were
{
    std::string key, value, word;
    while (std::cin >> key >> value) {
        if (key != "{\"action\":")
            throw std::invalid_argument("no action: " + key.substr(0, 40));
        std::string line = key + " " + value;
        while (line.back() != '}' && std::cin >> word)
            line += " " + word;
        answer(line);
    }
}

int main(int count, char **words)
{
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    fault = count > 1 ? words[1] : "";
    if (fault == "js-2-cpp-cin-words")
        by_words();
    std::string line;
    while ((std::getline(std::cin, line) && !std::cin.eof()) || fault == "io-10-cpp-ignores-eof") // FAULT: the latter
        answer(line);
    return 0;
}
