/* Plays at once, and the same in the same state: draws up to 200 arrangements of its cards, a large one first and a 1,
 * 3, 7 or 9 last, and plays the first that is a prime above the last number. Leads with four or five cards, by the sum
 * of its hand; passes where more than 20 are wanted. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { MOST = 20, DRAWS = 200 };

__extension__ typedef unsigned __int128 wide;

static wide times(wide a, wide b, wide n)
{
    if (n >> 64 == 0)
        return a * b % n;
    wide result = 0; /* by doubling: a product would not fit */
    for (; b; b >>= 1, a = a + a >= n ? a + a - n : a + a)
        if (b & 1)
            result = result + a >= n ? result + a - n : result + a;
    return result;
}

static wide power(wide base, wide exponent, wide n)
{
    wide result = 1;
    for (; exponent; exponent >>= 1, base = times(base, base, n))
        if (exponent & 1)
            result = times(result, base, n);
    return result;
}

/* Miller-Rabin; the first 13 primes as bases are exact for up to 24 digits. */
static int is_prime(wide n)
{
    static const int bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41};
    for (int divisor = 2; divisor < 200; divisor++)
        if (n % (wide)divisor == 0)
            return n == (wide)divisor;
    if (n < 200 * 200)
        return n > 1;
    wide odd = n - 1;
    int twos = 0;
    for (; odd % 2 == 0; odd /= 2)
        twos++;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        wide x = power((wide)bases[i], odd, n);
        int passed = x == 1 || x == n - 1;
        for (int step = 1; step < twos && !passed; step++) {
            x = times(x, x, n);
            passed = x == n - 1;
        }
        if (!passed)
            return 0;
    }
    return 1;
}

/* Take one of the cards of `hand` whose digits are in `wanted`; -1 when there is none. */
static int take(int *hand, const char *wanted, uint32_t *state)
{
    int sum = 0;
    for (const char *digit = wanted; *digit; digit++)
        sum += hand[*digit - '0'];
    if (!sum)
        return -1;
    *state = *state * 1664525u + 1013904223u;
    int at = (int)((*state >> 8) % (uint32_t)sum);
    while ((at -= hand[*wanted - '0']) >= 0)
        wanted++;
    hand[*wanted - '0']--;
    return *wanted - '0';
}

static wide draw(const int *held, int length, uint32_t *state)
{
    int hand[10], first = 0, card;
    memcpy(hand, held, sizeof hand);
    if (length == 1)
        return (card = take(hand, "2357", state)) < 0 ? 0 : (wide)card;
    int last = take(hand, "1379", state);
    if (last < 0 || ((first = take(hand, "6789", state)) < 0 && (first = take(hand, "12345", state)) < 0))
        return 0;
    wide number = (wide)first;
    for (int place = 2; place < length; place++) {
        if ((card = take(hand, "0123456789", state)) < 0)
            return 0;
        number = number * 10 + (wide)card;
    }
    return number * 10 + (wide)last;
}

static wide choose(const int *hand, int length, wide last)
{
    uint32_t state = (uint32_t)length;
    for (int times = 0; times < DRAWS; times++) {
        wide number = draw(hand, length, &state);
        if (number > last && is_prime(number))
            return number;
    }
    return 0;
}

static void play(wide number)
{
    char digits[48], *end = digits + sizeof digits - 1, *start = end;
    if (!number) {
        puts("{\"action\": \"pass\"}");
        return;
    }
    for (*end = 0; number; number /= 10)
        *--start = (char)('0' + (int)(number % 10));
    fputs("{\"action\": \"number\", \"cards\": [", stdout);
    for (const char *digit = start; *digit; digit++)
        printf(digit == start ? "%c" : ", %c", *digit);
    puts("]}");
}

static void answer(const char *line)
{
    int hand[10] = {0}, sum = 0, field = 0;
    wide last = 0, number = 0;
    const char *at = strstr(line, "\"hand\": [");
    for (at += 9; *at && *at != ']'; at++)
        if (*at >= '0' && *at <= '9')
            hand[*at - '0']++, sum += *at - '0';
    at = strstr(at, "\"numbers\": [");
    for (at += 12; *at && *at != ']'; at++) {
        if (*at == '"' && at[1] >= '0' && at[1] <= '9')
            last = 0; /* the next number begins */
        if (*at >= '0' && *at <= '9')
            field++, last = last * 10 + (wide)(*at - '0');
    }
    if (field)
        number = field <= MOST ? choose(hand, field, last) : 0;
    else
        for (int length = 4 + sum % 2; length > 0 && !number; length--)
            number = choose(hand, length, 0);
    play(number);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        int quit = strstr(line, "{\"action\": \"quit\"") == line;
        if (strstr(line, "{\"action\": \"play\"") == line)
            answer(line);
        else
            puts("");
        fflush(stdout);
        if (quit)
            break;
    }
    free(line);
    return 0;
}
