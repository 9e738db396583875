// Faulty bots in Java, named by their argument: `java Faults pd-2.12-java-parselong`.
//
// The correct bot leads with one card when it holds 2, 3, 5 or 7, and passes otherwise, which is always allowed.
// Each fault is one of the places marked FAULT. Build and run: javac -d DIR Faults.java && java -cp DIR Faults FAULT

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

public final class Faults {
    private static String fault;
    private static PrintWriter out;

    public static void main(String[] words) throws IOException {
        fault = words.length > 0 ? words[0] : "";
        out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (true) {
            String line = in.readLine();
            if (line == null && !fault.equals("io-10-java-null-line")) {
                out.flush();
                return;
            }
            if (line != null && !line.trim().endsWith("}")) {
                return; // the input ended within a line
            }
            String action = string(line, valueOf(line, "action")); // FAULT: readLine gives null at the end of input
            switch (action) {
                case "init":
                    init(line);
                    break;
                case "play":
                    play(line);
                    break;
                default:
                    say("");
            }
            if (action.equals("quit")) {
                out.flush();
                return;
            }
        }
    }

    private static void say(String text) {
        out.print(text);
        out.print(fault.equals("io-3-java-println") && !text.isEmpty() ? "\n\n" : "\n"); // FAULT: a line end too many
        if (!fault.equals("io-4-java-printwriter")) { // FAULT: a PrintWriter is not flushed by print
            out.flush();
        }
    }

    private static void init(String line) {
        if (fault.equals("pd-2.10-java-four-names")) {
            String[] names = new String[4];
            int place = valueOf(line, "names"), end = line.indexOf(']', place);
            for (int seat = 0; (place = line.indexOf('"', place)) >= 0 && place < end; seat++) {
                names[seat] = string(line, place); // FAULT: there may be more than four
                place = pastString(line, place);
            }
        }
        say("");
    }

    private static void play(String line) {
        int hand = valueOf(line, "hand"), numbers = valueOf(line, "numbers");
        String field = line.substring(numbers + 1, line.indexOf(']', numbers)).replace("\"", "").trim();
        if (fault.equals("pd-2.12-java-parselong") && !field.isEmpty()) {
            for (String number : field.split(",")) {
                Long.parseLong(number.trim()); // FAULT: throws from 19 digits on
            }
        }
        for (int place = hand; field.isEmpty() && line.charAt(place) != ']'; place++) {
            if ("2357".indexOf(line.charAt(place)) >= 0) {
                say("{\"action\": \"number\", \"cards\": [".concat(line.substring(place, place + 1)).concat("]}"));
                return;
            }
        }
        say("{\"action\": \"pass\"}");
    }

    private static int pastBlanks(String line, int place) {
        while (place < line.length() && " \t".indexOf(line.charAt(place)) >= 0) {
            place++;
        }
        return place;
    }

    private static int pastString(String line, int place) {
        for (place++; place < line.length() && line.charAt(place) != '"'; place++) {
            place += line.charAt(place) == '\\' ? 1 : 0;
        }
        return place + 1;
    }

    /** The string that begins at a place; "" where none does. */
    private static String string(String line, int place) {
        return place >= 0 && line.charAt(place) == '"' ? line.substring(place + 1, pastString(line, place) - 1) : "";
    }

    /** Where the value of a key of the message itself begins, not of an object inside it; -1 when it has none. */
    private static int valueOf(String line, String key) {
        int depth = 0;
        for (int place = 0; place < line.length(); place++) {
            char c = line.charAt(place);
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            if (c != '"') {
                continue;
            }
            int end = pastString(line, place), after = pastBlanks(line, end);
            if (depth == 1 && after < line.length() && line.charAt(after) == ':' && string(line, place).equals(key)) {
                return pastBlanks(line, after + 1);
            }
            place = end - 1;
        }
        return -1;
    }
}
