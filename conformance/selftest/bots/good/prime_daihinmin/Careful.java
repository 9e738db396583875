// Careful: gets rid of its highest cards when it leads, spends as little as it can when it follows.
//
// Style: one class, the JDK alone; a BufferedReader read by blocks, a recursive JSON parser into maps and lists,
// BigInteger.isProbablePrime. No lambda and no string +, each of which costs a JVM tens of milliseconds at its
// first use. Plays Belphegor's prime when it holds it, else up to 48 digits.
// Build and run: javac -d DIR Careful.java && java -cp DIR Careful (or java Careful.java)

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public final class Careful {
    private static final String BELPHEGOR = "1000000000000066600000000000001";
    private static final int LONGEST = 48;
    private static final int TRIES = 200;

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        OutputStream out = System.out;
        StringBuilder line = new StringBuilder();
        char[] block = new char[8192];
        for (int size = in.read(block); size >= 0; size = in.read(block)) {
            int start = 0;
            for (int place = 0; place < size; place++) {
                if (block[place] != '\n') {
                    continue;
                }
                line.append(block, start, place - start);
                Map<?, ?> message = read(line.toString());
                out.write(answer(message).append('\n').toString().getBytes(StandardCharsets.US_ASCII));
                out.flush();
                if ("quit".equals(message.get("action"))) {
                    return;
                }
                line.setLength(0);
                start = place + 1;
            }
            line.append(block, start, size - start);
        }
    }

    private static Map<?, ?> read(String line) {
        try {
            return new Parser(line).value() instanceof Map<?, ?> message ? message : Map.of();
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException unreadable) {
            return Map.of(); // answered like an unknown action
        }
    }

    private static StringBuilder answer(Map<?, ?> message) {
        StringBuilder text = new StringBuilder();
        if (!"play".equals(message.get("action"))
                || !(message.get("hand") instanceof List<?> hand)
                || !(message.get("numbers") instanceof List<?> numbers)) {
            return text;
        }
        String cards = choose(counts(hand), numbers);
        if (cards == null) {
            return text.append("{\"action\":\"pass\"}");
        }
        text.append("{\"action\":\"number\",\"cards\":[");
        for (int place = 0; place < cards.length(); place++) {
            text.append(cards.charAt(place)).append(',');
        }
        text.setCharAt(text.length() - 1, ']');
        return text.append('}');
    }

    // ---- choosing ----

    private static int[] counts(List<?> cards) {
        int[] counts = new int[10];
        for (Object card : cards) {
            counts[((Number) card).intValue()]++;
        }
        return counts;
    }

    private static boolean covers(int[] counts, String cards) {
        int[] left = counts.clone();
        for (int place = 0; place < cards.length(); place++) {
            if (--left[cards.charAt(place) - '0'] < 0) {
                return false;
            }
        }
        return true;
    }

    private static String choose(int[] counts, List<?> numbers) {
        if (covers(counts, BELPHEGOR)) {
            return BELPHEGOR;
        }
        if (numbers.isEmpty()) {
            String lead = null;
            for (int length = 5; length > 0 && lead == null; length--) {
                lead = new Search(counts, "0".repeat(length), true).first();
            }
            return lead;
        }
        int total = 0;
        for (Object number : numbers) {
            total += ((String) number).length();
        }
        if (total > LONGEST) {
            return null;
        }
        String floor = new BigInteger((String) numbers.get(numbers.size() - 1)).add(BigInteger.ONE).toString();
        if (floor.length() > total) {
            return null;
        }
        return new Search(counts, "0".repeat(total - floor.length()).concat(floor), false).first();
    }

    /** Looks through the arrangements of held cards that are as long as a floor and not below it. */
    private static final class Search {
        private final int[] left;
        private final String floor;
        private final boolean fromTheTop;
        private int tries = TRIES;

        Search(int[] counts, String floor, boolean fromTheTop) {
            this.left = counts.clone();
            this.floor = floor;
            this.fromTheTop = fromTheTop;
        }

        String first() {
            int held = 0;
            for (int count : left) {
                held += count;
            }
            return held < floor.length() ? null : grow(new StringBuilder(), true, 0);
        }

        private String grow(StringBuilder text, boolean tight, int sum) {
            int place = text.length();
            if (place == floor.length()) {
                return test(text.toString(), sum);
            }
            int lowest = tight ? floor.charAt(place) - '0' : 0;
            for (int step = lowest; step < 10 && tries > 0; step++) {
                int digit = fromTheTop ? 9 - (step - lowest) : step;
                if (left[digit] == 0 || (place == 0 && digit == 0)) {
                    continue;
                }
                left[digit]--;
                String found = grow(text.append((char) ('0' + digit)), tight && digit == lowest, sum + digit);
                text.setLength(place);
                left[digit]++;
                if (found != null) {
                    return found;
                }
            }
            return null;
        }

        private String test(String text, int sum) {
            tries--;
            char last = text.charAt(text.length() - 1);
            if (text.length() > 1 && ((last - '0') % 2 == 0 || last == '5' || sum % 3 == 0)) {
                return null;
            }
            return new BigInteger(text).isProbablePrime(60) ? text : null;
        }
    }

    // ---- JSON ----

    /** Values become Map, List, String, Number, Boolean or null; what is not JSON throws IllegalArgumentException. */
    private static final class Parser {
        private final String text;
        private int place;

        Parser(String text) {
            this.text = text;
        }

        Object value() {
            char c = peek();
            switch (c) {
                case '{':
                    return object();
                case '[':
                    return array();
                case '"':
                    return string();
                default:
                    return literal();
            }
        }

        private Map<String, Object> object() {
            Map<String, Object> members = new HashMap<>();
            place++;
            if (peek() == '}') {
                place++;
                return members;
            }
            do {
                peek();
                String key = string();
                expect(':');
                members.put(key, value());
            } while (more('}'));
            return members;
        }

        private List<Object> array() {
            List<Object> items = new ArrayList<>();
            place++;
            if (peek() == ']') {
                place++;
                return items;
            }
            do {
                items.add(value());
            } while (more(']'));
            return items;
        }

        private String string() {
            expect('"');
            int end = place;
            while (text.charAt(end) != '"' && text.charAt(end) != '\\') {
                end++;
            }
            if (text.charAt(end) == '"') {
                String plain = text.substring(place, end);
                place = end + 1;
                return plain;
            }
            StringBuilder out = new StringBuilder();
            for (char c = text.charAt(place++); c != '"'; c = text.charAt(place++)) {
                out.append(c == '\\' ? escape() : c);
            }
            return out.toString();
        }

        private char escape() {
            char c = text.charAt(place++);
            if (c == 'u') {
                place += 4;
                return (char) Integer.parseInt(text.substring(place - 4, place), 16);
            }
            int known = "nrtbf".indexOf(c);
            return known < 0 ? c : "\n\r\t\b\f".charAt(known);
        }

        private Object literal() {
            int start = place;
            while (place < text.length() && ",]} \t\r".indexOf(text.charAt(place)) < 0) {
                place++;
            }
            if (place == start + 1 && Character.isDigit(text.charAt(start))) {
                return text.charAt(start) - '0';
            }
            String word = text.substring(start, place);
            switch (word) {
                case "true":
                    return true;
                case "false":
                    return false;
                case "null":
                    return null;
                default:
                    return Double.valueOf(word);
            }
        }

        private boolean more(char close) {
            char c = peek();
            place++;
            if (c != ',' && c != close) {
                throw new IllegalArgumentException("a comma or the end was expected");
            }
            return c == ',';
        }

        private void expect(char wanted) {
            if (peek() != wanted) {
                throw new IllegalArgumentException(String.valueOf(wanted));
            }
            place++;
        }

        private char peek() {
            while (" \t\r\n".indexOf(text.charAt(place)) >= 0) {
                place++;
            }
            return text.charAt(place);
        }
    }
}
