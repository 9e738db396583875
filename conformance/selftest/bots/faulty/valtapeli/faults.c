/* Faulty bots in C, named by their argument: `faults-c va-4-c-char`.
 *
 * The correct bot takes the first free cell, row by row. Each fault is one of the places marked FAULT.
 * Build: cc -O1 -o faults-c faults.c
 */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SIDE = 16, MOVES = SIDE * SIDE / 2 };

static const char *fault;
static bool taken[SIDE + 2][SIDE + 2];
static int made;

static bool is(const char *name)
{
    return !strcmp(fault, name);
}

/* ---- writing ---- */

static void flush(void)
{
    if (!is("io-4-c-never-flushes")) /* FAULT: a pipe is buffered by blocks */
        fflush(stdout);
}

static void say_name(void)
{
    char name[12] = "CFaulty";
    if (is("va-2-c-address")) /* FAULT: where the name lies changes with the run */
        printf("C%06lx\n", (unsigned long)(size_t)name >> 8 & 0xffffff);
    else
        puts(name);
    flush();
}

static void say_move(int row, int column)
{
    if (is("io-3-c-puts")) { /* FAULT: puts adds a second line end */
        char line[16];
        snprintf(line, sizeof line, "%d %d\n", row, column);
        puts(line);
    } else if (is("va-4-c-char")) { /* FAULT: the numbers as characters */
        printf("%c %c\n", '0' + row, '0' + column);
    } else {
        printf(is("va-12-c-02d")   ? "%02d %02d\n" /* FAULT: leading zeros */
               : is("va-12-c-tab") ? "%d\t%d\n"    /* FAULT: a tab */
                                   : "%d %d\n",
               row, column);
    }
    flush();
}

/* ---- playing ---- */

static int pick(void) /* 0: the first free cell of a row, 1: the last one */
{
    if (is("va-9-c-address")) /* FAULT: where the stack lies changes with the run */
        return (int)((size_t)&fault ^ (size_t)&(int){0}) >> (12 + made % 8) & 1;
    return 0;
}

static void crash(void)
{
    signal(SIGABRT, SIG_DFL);
    *(volatile int *)8 = 1;
}

static void move(void)
{
    int last = pick(), found = 0;
    for (int row = 1; row <= SIDE && !found; row++)
        for (int column = 1; column <= SIDE && !found; column++) {
            int here = last ? SIDE + 1 - column : column;
            if (!taken[row][here])
                found = row * 32 + here;
        }
    made++;
    if (is("va-10-c-segfault-at-100") && made == 100) /* FAULT: memory that is not there, in a long match */
        crash();
    taken[found / 32][found % 32] = true;
    say_move(found / 32, found % 32);
}

static void told(int row, int column)
{
    if (is("va-5-c-index-from-0")) { /* FAULT: read as if counted from 0, written as if counted from 1 */
        row += row < SIDE;
        column += column < SIDE;
    }
    taken[row][column] = true;
}

static bool by_scanf(int *numbers, int count)
{
    for (int at = 0; at < count; at++) {
        int got;
        do
            got = scanf("%d", &numbers[at]);
        while (got != 1 && is("io-10-c-scanf-for-ever")); /* FAULT: EOF is not looked for */
        if (got != 1)
            return false;
    }
    return true;
}

static bool by_fgets(int *numbers, int count)
{
    char line[64];
    int room = is("va-5-c-buffer-of-5") && count == 2 ? 5 : 64; /* FAULT: "10 16" has no room for its last digit */
    if (!fgets(line, room, stdin))
        return false;
    if (!strchr(line, '\n'))
        for (int c = getchar(); c != '\n'; c = getchar())
            if (c == EOF)
                return false;
    return sscanf(line, count == 1 ? "%d" : "%d %d", numbers, numbers + 1) == count;
}

static bool input(int *numbers, int count)
{
    return is("va-5-c-buffer-of-5") ? by_fgets(numbers, count) : by_scanf(numbers, count);
}

/* ---- a match ---- */

int main(int count, char **words)
{
    int number, cell[2];
    struct rlimit none = {0, 0};
    fault = count > 1 ? words[1] : "";
    setrlimit(RLIMIT_CORE, &none); /* some die on purpose */
    if (is("io-10-c-scanf-for-ever"))
        alarm(60); /* not quite for ever */
    if (!input(&number, 1))
        return 0;
    say_name();
    while (made < MOVES) {
        if (made || number == 2) {
            if (!input(cell, 2))
                return 0;
            told(cell[0], cell[1]);
        }
        move();
    }
    return 0;
}
