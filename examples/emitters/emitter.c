/* A backtracking solver that prints its trace:
 *   cc -O2 -o emitter emitter.c && ./emitter 53..7… | undoku render - -o film.mp4
 * The lines with printf are all that a trace needs; docs/trace-format.md describes the format. */
#include <stdio.h>
#include <string.h>

static int board[81];

static int fits(int cell, int value) {
    int row = cell / 9, column = cell % 9, corner = row / 3 * 27 + column / 3 * 3;
    for (int k = 0; k < 9; k++)
        if (board[row * 9 + k] == value || board[k * 9 + column] == value ||
            board[corner + k / 3 * 9 + k % 3] == value)
            return 0;
    return 1;
}

static int solve(int cell) {
    while (cell < 81 && board[cell]) cell++;
    if (cell == 81) return 1;
    for (int value = 1; value <= 9; value++) {
        if (!fits(cell, value)) continue;
        board[cell] = value;
        printf("[\"place\",%d,%d]\n", cell, value);
        if (solve(cell + 1)) return 1;
        board[cell] = 0;
        printf("[\"undo\",%d]\n", cell);
    }
    return 0;
}

int main(int count, char **arguments) {
    if (count != 2 || strlen(arguments[1]) != 81) {
        fprintf(stderr, "give the 81 cells of a puzzle\n");
        return 2;
    }
    for (int cell = 0; cell < 81; cell++) {
        char mark = arguments[1][cell];
        board[cell] = mark >= '1' && mark <= '9' ? mark - '0' : 0;
    }
    printf("{\"undoku\":1,\"size\":9,\"givens\":\"%s\",\"title\":\"C program\"}\n", arguments[1]);
    printf("{\"outcome\":\"%s\"}\n", solve(0) ? "solved" : "exhausted");
    return 0;
}
