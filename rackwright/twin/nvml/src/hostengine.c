/* nv-hostengine: DCGM's daemon. Listens on its real port (5555, loopback); -n keeps it in the foreground. */
#include "daemon.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define DCGM_PORT 5555

int main(int argc, char **argv)
{
    int background = 1;
    for (int a = 1; a < argc; a++) {
        if (!strcmp(argv[a], "--version")) {
            printf("Version : %s\n", DCGM_VERSION);
            return 0;
        }
        background = strcmp(argv[a], "-n") ? background : 0;
    }
    int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(DCGM_PORT), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 16)) {
        perror("Failed to start DCGM Server: port 5555");
        return 1;
    }
    return daemon_live("/run/nvhostengine.pid", background);
}
