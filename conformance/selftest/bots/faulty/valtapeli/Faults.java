// Faulty bots in Java, named by their argument: `java Faults va-3-java-same-string`.
//
// The correct bot takes the first free cell, column by column. Each fault is one of the places marked FAULT.
// Build and run: javac -d DIR Faults.java && java -cp DIR Faults FAULT

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;

public final class Faults {
    private static final int SIDE = 16;

    private static String fault;
    private static PrintWriter out;
    private static BufferedReader in;
    private static final boolean[][] taken = new boolean[SIDE][SIDE];
    private static int made;

    public static void main(String[] words) throws IOException {
        fault = words.length > 0 ? words[0] : "";
        out = new PrintWriter(System.out, false);
        in = new BufferedReader(new InputStreamReader(System.in));
        String number = in.readLine();
        if (number == null) {
            return;
        }
        out.print("JavaBot\n");
        out.flush();
        boolean first = is("va-3-java-same-string") ? number == "1" : number.equals("1"); // FAULT: never the same object
        if (is("io-8-java-new-reader")) { // FAULT: what the old reader had read ahead is lost
            in = new BufferedReader(new InputStreamReader(System.in));
        }
        play(first);
        out.flush();
        end();
    }

    private static boolean is(String name) {
        return fault.equals(name);
    }

    private static void play(boolean first) throws IOException {
        while (made < SIDE * SIDE / 2) {
            if (made > 0 || !first) {
                String line = in.readLine();
                int space = line == null ? -1 : line.indexOf(' ');
                if (space < 0 || space == line.length() - 1) {
                    out.flush();
                    System.exit(0); // the input ended, perhaps within a line
                }
                told(line);
            }
            move();
        }
    }

    private static void told(String line) {
        int space = line.indexOf(' ');
        int row = Integer.parseInt(line.substring(0, space)), column = Integer.parseInt(line.substring(space + 1));
        taken[row - 1][column - 1] = true;
    }

    private static int choose() {
        int cell = 0;
        while (taken[cell % SIDE][cell / SIDE]) {
            cell++;
        }
        return cell;
    }

    private static void move() {
        int cell = choose(), row = cell % SIDE, column = cell / SIDE;
        made++;
        taken[row][column] = true;
        out.print(Integer.toString(row + 1).concat(" ").concat(Integer.toString(column + 1)).concat("\n"));
        if (!is("io-4-java-printwriter")) { // FAULT: a PrintWriter is not flushed by print
            out.flush();
        }
    }

    private static void end() throws IOException {
        if (is("va-6-java-null-line")) { // FAULT: readLine gives null at the end of input
            while (true) {
                in.readLine().trim();
            }
        }
        if (is("va-6-java-live-thread")) { // FAULT: a thread that is no daemon keeps the JVM alive
            new Thread() {
                @Override
                public void run() {
                    try {
                        sleep(30_000);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }.start();
        }
    }
}
