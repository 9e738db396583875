// keeper: keeps its own hand from the deal on and holds every play message against it.
//
// Style: C++17 with GMP; std::getline, a small pull parser for JSON, one class for the hand. It cuts with
// Belphegor's or a Mersenne prime when it can, leads with five cards if possible and beats with the smallest
// larger prime, up to 160 digits. Should its hand ever differ from the one it is sent, it says so on stderr and
// ends with status 3. Build: c++ -O2 -std=c++17 -o keeper keeper.cpp -lgmpxx -lgmp

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Reads one JSON text front to back; the caller asks for what it expects and skips the rest.
class Json {
public:
    explicit Json(const std::string& text) : text_(text) {}

    void object(const std::function<void(const std::string&)>& member) {
        expect('{');
        if (accept('}')) return;
        do {
            const std::string key = string();
            expect(':');
            member(key);
        } while (accept(','));
        expect('}');
    }

    void array(const std::function<void()>& item) {
        expect('[');
        if (accept(']')) return;
        do item();
        while (accept(','));
        expect(']');
    }

    std::string string() {
        expect('"');
        std::string out;
        for (char c = take(); c != '"'; c = take()) {
            if (c == '\\')
                escape(out);
            else
                out += c;
        }
        return out;
    }

    int card() {
        const char c = peek();
        if (!std::isdigit(static_cast<unsigned char>(c))) throw std::runtime_error("a card was expected");
        ++place_;
        return c - '0';
    }

    // Any value at all, however deep.
    void skip() {
        std::size_t depth = 0;
        do {
            const char c = peek();
            if (c == '"') {
                string();
            } else if (c == '[' || c == '{') {
                ++depth;
                ++place_;
            } else if (c == ']' || c == '}') {
                if (depth == 0) throw std::runtime_error("a value was expected");
                --depth;
                ++place_;
            } else if (depth > 0 && (c == ',' || c == ':')) {
                ++place_;
            } else {
                const std::size_t end = text_.find_first_of(",:]}[{\" \t\r", place_);
                if (end == place_) throw std::runtime_error("a value was expected");
                place_ = end == std::string::npos ? text_.size() : end;
            }
        } while (depth > 0);
    }

private:
    char peek() {
        place_ = text_.find_first_not_of(" \t\r\n", place_);
        if (place_ == std::string::npos) throw std::runtime_error("the text ends early");
        return text_[place_];
    }
    char take() {
        if (place_ >= text_.size()) throw std::runtime_error("the text ends early");
        return text_[place_++];
    }
    bool accept(char c) {
        if (peek() != c) return false;
        ++place_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) throw std::runtime_error(std::string("expected ") + c);
    }

    void escape(std::string& out) {
        static const std::string letters = "nrtbf", meant = "\n\r\t\b\f";
        const char c = take();
        const std::size_t known = letters.find(c);
        if (c == 'u')
            unicode(out);
        else
            out += known == std::string::npos ? c : meant[known];
    }
    // One UTF-16 unit as UTF-8 bytes; pairs need no joining, since names are only ever compared with names.
    void unicode(std::string& out) {
        unsigned unit = 0;
        for (int digit = 0; digit < 4; ++digit) unit = unit * 16 + nibble(take());
        if (unit < 0x80) {
            out += static_cast<char>(unit);
        } else if (unit < 0x800) {
            out += static_cast<char>(0xC0 | unit >> 6);
            out += static_cast<char>(0x80 | (unit & 0x3F));
        } else {
            out += static_cast<char>(0xE0 | unit >> 12);
            out += static_cast<char>(0x80 | (unit >> 6 & 0x3F));
            out += static_cast<char>(0x80 | (unit & 0x3F));
        }
    }
    static unsigned nibble(char c) {
        static const std::string digits = "0123456789abcdef";
        const std::size_t value = digits.find(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        if (value == std::string::npos) throw std::runtime_error("a hexadecimal digit was expected");
        return static_cast<unsigned>(value);
    }

    const std::string& text_;
    std::size_t place_ = 0;
};

class Hand {
public:
    void add(int card) { ++count_[static_cast<std::size_t>(card)], ++size_; }
    void remove(const std::string& cards) {
        for (char c : cards) --count_[static_cast<std::size_t>(c - '0')], --size_;
    }
    bool covers(const std::string& cards) const {
        Hand need;
        for (char c : cards) need.add(c - '0');
        for (std::size_t digit = 0; digit < 10; ++digit)
            if (need.count_[digit] > count_[digit]) return false;
        return true;
    }
    bool operator!=(const Hand& other) const { return count_ != other.count_; }
    std::size_t size() const { return size_; }

    // The smallest arrangement as long as `low` and not below it; empty when there is none.
    std::string first_from(const std::string& low) const {
        std::array<std::size_t, 10> left = count_;
        std::size_t kept = 0;
        while (kept < low.size() && left[digit(low, kept)] > 0) --left[digit(low, kept++)];
        if (kept == low.size()) return low;
        for (;;) {
            for (std::size_t next = digit(low, kept) + 1; next < 10; ++next)
                if (left[next] > 0) {
                    --left[next];
                    return low.substr(0, kept) + static_cast<char>('0' + next) + tail(left, low.size() - kept - 1);
                }
            if (kept == 0) return "";
            ++left[digit(low, --kept)];
        }
    }

private:
    static std::size_t digit(const std::string& text, std::size_t place) {
        return static_cast<std::size_t>(text[place] - '0');
    }
    static std::string tail(const std::array<std::size_t, 10>& left, std::size_t length) {
        std::string out;
        for (std::size_t d = 0; d < 10; ++d)
            out.append(std::min(left[d], length - out.size()), static_cast<char>('0' + d));
        return out;
    }

    std::array<std::size_t, 10> count_{};
    std::size_t size_ = 0;
};

struct Message {
    std::string action;
    Hand hand;                         // of `init` and `play`
    std::vector<int> draw;             // of `pass`
    std::vector<std::string> numbers;  // of `play`
};

Message read(const std::string& line) {
    Message message;
    Json json(line);
    json.object([&](const std::string& key) {
        if (key == "action")
            message.action = json.string();
        else if (key == "hand")
            json.array([&] { message.hand.add(json.card()); });
        else if (key == "draw")
            json.array([&] { message.draw.push_back(json.card()); });
        else if (key == "numbers")
            json.array([&] { message.numbers.push_back(json.string()); });
        else
            json.skip();
    });
    return message;
}

constexpr std::size_t longest = 160;
const std::string belphegor = "1000000000000066600000000000001";
const std::vector<std::string> mersenne = {"3", "7", "31", "127", "8191", "131071", "524287", "2147483647"};

// How many tests of numbers that long a turn may cost: some 15 ms of them.
int tests_for(std::size_t length) { return length <= 20 ? 600 : length <= 40 ? 400 : length <= 80 ? 200 : 80; }

std::string smallest_prime(const Hand& hand, std::size_t length, const mpz_class& above) {
    if (length == 0 || hand.size() < length) return "";
    std::string low = mpz_class(above + 1).get_str();
    if (low.size() < length) low = "1" + std::string(length - 1, '0');
    int tests = tests_for(length);
    for (int steps = 20 * tests; steps > 0 && tests > 0 && low.size() == length; --steps) {
        const std::string text = hand.first_from(low);
        if (text.empty()) break;
        const mpz_class number(text);
        const bool hopeless = length > 1 && (text.back() % 2 == 0 || text.back() == '5');
        if (!hopeless && (--tests, mpz_probab_prime_p(number.get_mpz_t(), 25) > 0)) return text;
        low = mpz_class(number + 1).get_str();
    }
    return "";
}

std::string choose(const Hand& hand, const std::vector<std::string>& numbers) {
    if (hand.covers(belphegor)) return belphegor;
    std::size_t total = 0;
    for (const std::string& number : numbers) total += number.size();
    if (total > longest) return "";
    const mpz_class above(numbers.empty() ? "0" : numbers.back());
    for (const std::string& cut : mersenne) {
        const bool fits = numbers.empty() ? cut.size() <= 5 : cut.size() == total && mpz_class(cut) > above;
        if (fits && hand.covers(cut)) return cut;
    }
    if (!numbers.empty()) return smallest_prime(hand, total, above);
    for (std::size_t length = 5; length > 0; --length) {
        const std::string text = smallest_prime(hand, length, above);
        if (!text.empty()) return text;
    }
    return "";
}

std::string say(const std::string& cards) {
    if (cards.empty()) return R"({"action":"pass"})";
    std::string out = R"({"action":"number","cards":[)";
    for (char c : cards) (out += c) += ',';
    out.back() = ']';
    return out + "}";
}

class Keeper {
public:
    // The answer to one message, without its LF.
    std::string answer(const Message& message) {
        if (message.action == "init") {
            own_ = message.hand;
            dealt_ = true;
        } else if (message.action == "pass") {
            for (int card : message.draw) own_.add(card);
        } else if (message.action == "play") {
            return play(message);
        }
        return "";
    }

private:
    std::string play(const Message& message) {
        if (dealt_ && own_ != message.hand) {
            std::cerr << "keeper: I have " << own_.size() << " cards, not these " << message.hand.size() << '\n';
            std::exit(3);
        }
        own_ = message.hand;
        const std::string cards = choose(own_, message.numbers);
        own_.remove(cards);
        return say(cards);
    }

    Hand own_;
    bool dealt_ = false;
};

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    Keeper keeper;
    std::string line;
    while (std::getline(std::cin, line) && !std::cin.eof()) {  // a last line without LF is no message
        Message message;
        std::string answer;
        try {
            message = read(line);
            answer = keeper.answer(message);
        } catch (const std::exception&) {
            message = {};  // nothing that this bot can read: it is answered as an unknown action
        }
        std::cout << answer << std::endl;
        if (message.action == "quit") break;
    }
    return 0;
}
