/* Answers without reading: plays 1, 2, 7 (a Mersenne prime, so that it leads again) to every `play`, an empty line to
 * all else. Its cost is the pipe's, which is what both sides of the exchange benchmark have in common. */
#include <string.h>
#include <unistd.h>

static char buffer[1 << 21];
static const char play[] = "{\"action\": \"play\"";
static const char quit[] = "{\"action\": \"quit\"";
static const char number[] = "{\"action\": \"number\", \"cards\": [1, 2, 7]}\n";

static int say(const char *text, size_t size) { return write(1, text, size) == (ssize_t)size; }

int main(void)
{
    size_t held = 0;
    for (;;) {
        ssize_t got = read(0, buffer + held, sizeof buffer - held);
        if (got <= 0)
            return 0;
        held += (size_t)got;
        if (buffer[held - 1] != '\n')
            continue; /* nobody sends it two messages at once */
        if (!strncmp(buffer, play, sizeof play - 1)) {
            if (!say(number, sizeof number - 1))
                return 1;
        } else if (!say("\n", 1) || !strncmp(buffer, quit, sizeof quit - 1)) {
            return 0;
        }
        held = 0;
    }
}
