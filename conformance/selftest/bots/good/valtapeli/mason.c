/* mason: as player 1 takes the cell that joins the most, as player 2 the one that would join the most for the other.
 *
 * Style: C11 with nothing but libc; reads one character at a time, keeps a board with an edge of stone around it, and
 * measures each region anew with a flood fill that has its own stack. Build: cc -O2 -o mason mason.c
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 16, STRIDE = SIDE + 2, PLACES = STRIDE * STRIDE, MOVES = SIDE * SIDE / 2 };
enum { FREE, FIRST, SECOND, STONE };

static unsigned char board[PLACES];
static const int steps[4] = {-STRIDE, -1, 1, STRIDE};

static int place(int row, int column)
{
    return row * STRIDE + column;
}

/* A number and the character behind it; -1 at the end of input. */
static int read_number(int *behind)
{
    int number = 0, c;
    while ((c = getchar()) >= '0' && c <= '9')
        number = 10 * number + c - '0';
    *behind = c;
    return c == EOF ? -1 : number;
}

/* One line of `count` numbers; false at the end of input, also within the line. */
static bool read_line(int *numbers, int count)
{
    int behind = ' ';
    for (int at = 0; at < count; at++)
        if ((numbers[at] = read_number(&behind)) < 0)
            return false;
    while (behind != '\n' && behind != EOF)
        behind = getchar();
    return behind == '\n';
}

/* The size of the region of `player` that contains `start`; its places are marked in `seen`. */
static int measure(int start, int player, bool *seen)
{
    int stack[PLACES], height = 0, size = 0;
    stack[height++] = start;
    seen[start] = true;
    while (height) {
        int here = stack[--height];
        size++;
        for (int s = 0; s < 4; s++) {
            int near = here + steps[s];
            if (board[near] == player && !seen[near]) {
                seen[near] = true;
                stack[height++] = near;
            }
        }
    }
    return size;
}

/* What player 1 would gain by a free place: the size of all it joins, and a little for the room around it. */
static int worth(int here)
{
    bool seen[PLACES] = {false};
    int size = 0, room = 0;
    for (int s = 0; s < 4; s++) {
        int near = here + steps[s];
        room += board[near] == FREE;
        if (board[near] == FIRST && !seen[near])
            size += measure(near, FIRST, seen);
    }
    return 8 * size + room;
}

static int best(void)
{
    int found = 0, most = -1;
    for (int row = 1; row <= SIDE; row++)
        for (int column = 1; column <= SIDE; column++) {
            int here = place(row, column);
            if (board[here] != FREE)
                continue;
            int value = worth(here);
            if (value > most) {
                most = value;
                found = here;
            }
        }
    return found;
}

int main(void)
{
    int number, cell[2];
    if (!read_line(&number, 1))
        return 0;
    memset(board, STONE, sizeof board);
    for (int row = 1; row <= SIDE; row++)
        memset(board + place(row, 1), FREE, SIDE);
    puts("Mason");
    fflush(stdout);
    for (int made = 0; made < MOVES; made++) {
        if (made || number == 2) {
            if (!read_line(cell, 2))
                return 0;
            board[place(cell[0], cell[1])] = (unsigned char)(3 - number);
        }
        int here = best();
        board[here] = (unsigned char)number;
        printf("%d %d\n", here / STRIDE, here % STRIDE);
        fflush(stdout);
    }
    return 0;
}
