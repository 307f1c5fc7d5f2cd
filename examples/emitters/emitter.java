// A backtracking solver that prints its trace: java emitter.java 53..7… | undoku render - -o film.mp4
// The calls of println are all that a trace needs; docs/trace-format.md describes the format.
import java.io.BufferedOutputStream;
import java.io.PrintStream;

class Emitter {
    static final PrintStream OUT = new PrintStream(new BufferedOutputStream(System.out, 1 << 16));
    static final int[] board = new int[81];

    static boolean fits(int cell, int value) {
        int row = cell / 9, column = cell % 9, corner = row / 3 * 27 + column / 3 * 3;
        for (int k = 0; k < 9; k++)
            if (board[row * 9 + k] == value || board[k * 9 + column] == value
                    || board[corner + k / 3 * 9 + k % 3] == value)
                return false;
        return true;
    }

    static boolean solve(int cell) {
        while (cell < 81 && board[cell] != 0) cell++;
        if (cell == 81) return true;
        for (int value = 1; value <= 9; value++) {
            if (!fits(cell, value)) continue;
            board[cell] = value;
            OUT.println("[\"place\"," + cell + "," + value + "]");
            if (solve(cell + 1)) return true;
            board[cell] = 0;
            OUT.println("[\"undo\"," + cell + "]");
        }
        return false;
    }

    public static void main(String[] arguments) {
        if (arguments.length != 1 || arguments[0].length() != 81) {
            System.err.println("give the 81 cells of a puzzle");
            System.exit(2);
        }
        String givens = arguments[0];
        for (int cell = 0; cell < 81; cell++)
            board[cell] = Math.max(0, Character.digit(givens.charAt(cell), 10));
        OUT.println("{\"undoku\":1,\"size\":9,\"givens\":\"" + givens + "\",\"title\":\"Java program\"}");
        OUT.println("{\"outcome\":\"" + (solve(0) ? "solved" : "exhausted") + "\"}");
        OUT.flush();
    }
}
