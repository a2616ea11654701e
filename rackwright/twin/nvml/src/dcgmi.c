/* dcgmi discovery -l: asks for a host engine on its port, then lists what NVML shows. */
#include "nvml_client.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define DCGM_PORT 5555
#define RULE "+--------+----------------------------------------------------------------------+\n"

static int host_engine_answers(void)
{
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(DCGM_PORT), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int failed = connect(connection, (struct sockaddr *)&address, sizeof address);
    close(connection);
    return !failed;
}

static void row(const char *first, const char *label, const char *value)
{
    char cell[128];
    snprintf(cell, sizeof cell, "%s: %s", label, value);
    printf("| %-6s | %-68s |\n", first, cell);
}

static void discover(void)
{
    nvmlReturn_t (*pci)(nvmlDevice_t, nvmlPciInfo_t *) = client_function("nvmlDeviceGetPciInfo_v3");
    printf("%u GPUs found.\n" RULE "| %-6s | %-68s |\n" RULE, client_count(), "GPU ID", "Device Information");
    for (unsigned i = 0; i < client_count(); i++) {
        char number[12], value[96] = "";
        nvmlPciInfo_t info = {.busId = ""};
        snprintf(number, sizeof number, "%u", i);
        client_text("nvmlDeviceGetName", client_device(i), value, sizeof value);
        row(number, "Name", value);
        if (pci)
            pci(client_device(i), &info);
        row("", "PCI Bus ID", info.busId);
        client_text("nvmlDeviceGetUUID", client_device(i), value, sizeof value);
        row("", "Device UUID", value);
        printf(RULE);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-v"))) {
        printf("\ndcgmi  version: %s\n\n", DCGM_VERSION);
        return 0;
    }
    if (argc < 3 || strcmp(argv[1], "discovery") || strcmp(argv[2], "-l")) {
        fprintf(stderr, "Error: this DCGM knows `dcgmi discovery -l` and `dcgmi --version`.\n");
        return 2;
    }
    if (!host_engine_answers()) {
        fprintf(stderr, "Error: unable to establish a connection to the specified host: localhost\n"
                        "Error: Unable to connect to host engine. Host engine connection invalid/disconnected.\n");
        return 1;
    }
    nvmlReturn_t result = client_start();
    if (result) {
        fprintf(stderr, "Error: Cannot get devices from remote node: %s\n", client_error(result));
        return 1;
    }
    discover();
    return 0;
}
