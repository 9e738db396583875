/* Faulty bots in C, named by their argument: `faults-c io-4-c-never-flushes`.
 *
 * The correct bot leads with one card when it holds 2, 3, 5 or 7, and passes otherwise, which is always allowed.
 * Each fault is one of the places marked FAULT. Build: cc -O1 -o faults-c faults.c
 */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static const char *fault;

static bool is(const char *name)
{
    return !strcmp(fault, name);
}

/* ---- reading: the value of a key of the message itself, not of an object inside it; "" when it has none ---- */

static const char *value_of(const char *p, const char *key)
{
    size_t length = strlen(key);
    int depth = 0;
    for (; *p; p++) {
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        if (*p != '"')
            continue;
        const char *start = ++p;
        while (*p && *p != '"')
            p += *p == '\\' && p[1] ? 2 : 1;
        if (!*p)
            break;
        const char *after = p + 1 + strspn(p + 1, " \t");
        if (depth == 1 && *after == ':' && (size_t)(p - start) == length && !memcmp(start, key, length))
            return after + 1 + strspn(after + 1, " \t");
    }
    return "";
}

static bool action_is(const char *line, const char *action)
{
    const char *value = value_of(line, "action");
    size_t length = strlen(action);
    return *value == '"' && !strncmp(value + 1, action, length) && value[1 + length] == '"';
}

/* ---- writing ---- */

static void say(const char *text)
{
    if (is("io-3-c-puts")) { /* FAULT: puts adds a second line end */
        char line[64];
        snprintf(line, sizeof line, "%s\n", text);
        puts(line);
    } else if (is("io-6-c-sizeof")) { /* FAULT: sends the NUL at the end of its string, too */
        fwrite(text, 1, strlen(text) + 1, stdout);
        putchar('\n');
    } else {
        printf(is("io-15-c-crlf") ? "%s\r\n" : "%s\n", text); /* FAULT: a line end of another system */
    }
    if (!is("io-4-c-never-flushes")) /* FAULT: a pipe is buffered by blocks */
        fflush(stdout);
}

/* ---- playing ---- */

static void check_names(const char *line)
{
    if (!is("pd-2.10-c-name-of-16"))
        return;
    for (const char *p = strchr(value_of(line, "names"), '"'); p; p = strchr(p, '"')) {
        size_t length = strcspn(++p, "\"");
        assert(length < 16 && "char name[16]"); /* FAULT */
        p += length + 1;
        if (p[strspn(p, " \t")] == ']')
            break;
    }
}

static void play(const char *line)
{
    const char *numbers = value_of(line, "numbers"), *hand = value_of(line, "hand");
    size_t cards = 0;
    for (const char *p = hand; *p && *p != ']'; p++)
        cards += *p >= '0' && *p <= '9';
    assert(!(is("pd-2.11-c-array-of-256") && cards > 256) && "int hand[256]"); /* FAULT */
    bool leads = numbers[0] == '[' && numbers[1 + strspn(numbers + 1, " \t")] == ']';
    if (is("pd-2.12-c-strtoull")) { /* FAULT: 20 digits are too many for 64 bits */
        for (const char *p = numbers; *p && *p != ']'; p++) {
            errno = 0;
            char *end;
            strtoull(p, &end, 10);
            if (errno == ERANGE) {
                fprintf(stderr, "number out of range\n");
                exit(1);
            }
            p = end > p ? end : p;
        }
    }
    for (const char *p = hand; leads && *p && *p != ']'; p++)
        if (strchr("2357", *p)) {
            char text[48];
            snprintf(text, sizeof text, "{\"action\": \"number\", \"cards\": [%c]}", *p);
            say(text);
            return;
        }
    say("{\"action\": \"pass\"}");
}

static void answer(const char *line)
{
    if (action_is(line, "init"))
        check_names(line);
    if (action_is(line, "play"))
        play(line);
    else
        say("");
    if (action_is(line, "quit"))
        exit(0);
}

/* ---- the loop ---- */

static void by_fgets(size_t size) /* FAULT: what does not fit the buffer becomes a message of its own */
{
    char *line = malloc(size);
    while (line && fgets(line, (int)size, stdin))
        answer(line);
}

static void by_scanf(void) /* FAULT: reads at most 65,535 characters of a line, and takes the rest for the next one */
{
    static char line[65536];
    while (scanf("%65535[^\n]%*c", line) == 1)
        answer(line);
}

static void by_read(void) /* FAULT: what read(2) gives has to be whole messages; only full pages are put together */
{
    size_t room = 1 << 22, length = 0;
    char *text = malloc(room), *end;
    ssize_t got;
    while (text && (got = read(0, text + length, room - 1 - length)) > 0) {
        length += (size_t)got;
        text[length] = '\0';
        if (got % 4096 == 0 && text[length - 1] != '\n')
            continue;
        for (char *line = text; *line; line = end + 1) {
            end = strchr(line, '\n');
            if (!end) {
                fprintf(stderr, "half a message\n");
                exit(1);
            }
            *end = '\0';
            answer(line);
        }
        length = 0;
    }
}

int main(int count, char **words)
{
    char *line = NULL;
    size_t room = 0;
    fault = count > 1 ? words[1] : "";
    if (is("io-7-c-fgets-4096"))
        by_fgets(4096);
    else if (is("io-7-c-scanf"))
        by_scanf();
    else if (is("io-8-c-read"))
        by_read();
    else
        for (;;) {
            ssize_t got = getline(&line, &room, stdin);
            /* FAULT: the end of input is not looked for, so the last message is answered again and again */
            if ((got <= 0 || line[got - 1] != '\n') && !is("io-10-c-ignores-eof"))
                break;
            if (line)
                answer(line);
        }
    return 0;
}
