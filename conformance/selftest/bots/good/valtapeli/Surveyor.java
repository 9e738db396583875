// surveyor: keeps its regions by union-find, and takes the cell that raises the sum of squares the most.
//
// Style: JDK alone, a BufferedReader over stdin, a record a cell; as player 1 it reads on until the other's last move, and
// takes the end of input for the end of the game. No lambda and no string +, each of which costs a JVM tens of
// milliseconds at its first use. Build and run: javac -d DIR Surveyor.java && java -cp DIR Surveyor

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

public final class Surveyor {
    private static final int SIDE = 16;
    private static final int MOVES = SIDE * SIDE / 2;

    private record Cell(int row, int column) {
        static Cell parse(String line) {
            int space = line.indexOf(' ');
            return new Cell(
                    Integer.parseInt(line.substring(0, space).trim()) - 1,
                    Integer.parseInt(line.substring(space + 1).trim()) - 1);
        }

        int index() {
            return row * SIDE + column;
        }

        List<Cell> neighbours() {
            List<Cell> found = new ArrayList<>(4);
            if (row > 0) found.add(new Cell(row - 1, column));
            if (row < SIDE - 1) found.add(new Cell(row + 1, column));
            if (column > 0) found.add(new Cell(row, column - 1));
            if (column < SIDE - 1) found.add(new Cell(row, column + 1));
            return found;
        }

        @Override
        public String toString() {
            return Integer.toString(row + 1).concat(" ").concat(Integer.toString(column + 1));
        }
    }

    private final int[] owner = new int[SIDE * SIDE];
    private final int[] parent = new int[SIDE * SIDE];
    private final int[] size = new int[SIDE * SIDE];

    private int root(int index) {
        while (parent[index] != index) {
            parent[index] = parent[parent[index]];
            index = parent[index];
        }
        return index;
    }

    private void claim(Cell cell, int player) {
        int here = cell.index();
        owner[here] = player;
        parent[here] = here;
        size[here] = 1;
        for (Cell near : cell.neighbours()) {
            if (owner[near.index()] == player) {
                int one = root(here);
                int other = root(near.index());
                if (one != other) {
                    parent[other] = one;
                    size[one] += size[other];
                }
            }
        }
    }

    /** By how much the starter's sum of squares grows with this cell, and then how free it lies. */
    private long value(Cell cell) {
        long sum = 1;
        long squares = 0;
        int free = 0;
        List<Integer> seen = new ArrayList<>(4);
        for (Cell near : cell.neighbours()) {
            int index = near.index();
            if (owner[index] == 0) {
                free++;
            } else if (owner[index] == 1 && !seen.contains(root(index))) {
                seen.add(root(index));
                sum += size[root(index)];
                squares += (long) size[root(index)] * size[root(index)];
            }
        }
        return 5 * (sum * sum - squares) + free;
    }

    private Cell best() {
        Cell best = null;
        long most = Long.MIN_VALUE;
        for (int index = owner.length - 1; index >= 0; index--) {
            if (owner[index] == 0) {
                Cell cell = new Cell(index / SIDE, index % SIDE);
                long value = value(cell);
                if (value > most) {
                    most = value;
                    best = cell;
                }
            }
        }
        return best;
    }

    private void play(int number, BufferedReader in, PrintStream out) throws IOException {
        int left = MOVES;
        if (number == 1) {
            left--;
            move(number, out);
        }
        for (String line = in.readLine(); isMove(line); line = in.readLine()) {
            claim(Cell.parse(line), 3 - number);
            if (left > 0) {
                left--;
                move(number, out);
            }
            if (left == 0 && number == 2) {
                return;
            }
        }
    }

    /** Not at the end of input, nor of a line that is cut off there. */
    private static boolean isMove(String line) {
        int space = line == null ? -1 : line.indexOf(' ');
        return space > 0 && space < line.length() - 1;
    }

    private void move(int number, PrintStream out) {
        Cell cell = best();
        claim(cell, number);
        out.print(cell.toString().concat("\n"));
        out.flush();
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        String number = in.readLine();
        if (number == null) {
            return;
        }
        out.print("Surveyor\n");
        out.flush();
        new Surveyor().play(Integer.parseInt(number.trim()), in, out);
    }
}
