/* The `systemctl` of a host: sends its words to the init and prints the answer. Everything else happens there (guest/verbs.py).
 *
 * In C and without shared libraries: roles and the scripts of packages call it hundreds of times, and Python takes ten times as long to start.
 * Source: systemctl(1) of systemd 252.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKET "/run/rackwright-twin/init.sock"
#define PIECE 65536

static const char *const MACHINE[] = {"reboot", "poweroff", "halt", "shutdown"};

static int unreachable(void)
{
    fprintf(stderr, "Failed to connect to the init of this host: %s\n", strerror(errno));
    return 1;
}

static void print(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written < 0)
            return;
        text += written;
        length -= (size_t)written;
    }
}

/* Words and their ends, one NUL each; another one ends the request. Called as `reboot` or the like, that is the first word. */
static char *request(int count, char **words, size_t *length)
{
    const char *called = strrchr(words[0], '/') ? strrchr(words[0], '/') + 1 : words[0];
    int first = 1;
    for (size_t number = 0; number < sizeof MACHINE / sizeof *MACHINE; number++)
        if (strcmp(called, MACHINE[number]) == 0)
            first = 0;
    size_t size = 2;
    for (int number = first; number < count; number++)
        size += strlen(number ? words[number] : called) + 1;
    char *text = calloc(1, size), *end = text;
    if (!text)
        return NULL;
    for (int number = first; number < count; number++)
        end = stpcpy(end, number ? words[number] : called) + 1;
    *length = (size_t)(end - text) + (end == text ? 2 : 1);
    return text;
}

static char *answer(int connection, size_t *length)
{
    char *text = NULL;
    for (;;) {
        char *more = realloc(text, *length + PIECE + 1);
        if (!more)
            return NULL;
        text = more;
        ssize_t count = recv(connection, text + *length, PIECE, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return NULL;
        *length += (size_t)count;
        text[*length] = '\0';
        if (count == 0)
            return text;
    }
}

int main(int count, char **words)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = SOCKET};
    size_t length = 0, received = 0;
    char *sent = request(count, words, &length), *text = NULL;
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!sent || connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) < 0)
        return unreachable();
    for (size_t done = 0; done < length;) {
        ssize_t written = send(connection, sent + done, length - done, MSG_NOSIGNAL);
        if (written < 0)
            return unreachable();
        done += (size_t)written;
    }
    if (!(text = answer(connection, &received)))
        return unreachable();
    /* exit status, output, errors */
    const char *end = text + received;
    const char *out = text + strlen(text) + (text + strlen(text) < end);
    const char *err = out + strlen(out) + (out + strlen(out) < end);
    print(1, out, strlen(out));
    print(2, err, (size_t)(end - err));
    return *text ? atoi(text) : 1;
}
