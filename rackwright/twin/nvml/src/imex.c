/* nvidia-imex: refuses a driver of another version and a node that does not stand in its list, as the real one does. */
#include "daemon.h"
#include "same_driver.h"
#include "twin_state.h"
#include "version.h"

#include <stdio.h>
#include <string.h>

#define NODES "/etc/nvidia-imex/nodes_config.cfg"

static int listed(void)
{
    char path[4096], line[256];
    int count = 0;
    twin_path(NODES, path, sizeof path);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        count += line[0] != '#' && line[0] != '\n';
    if (file)
        fclose(file);
    return count;
}

int main(int argc, char **argv)
{
    if (argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-v"))) {
        printf("IMEX version is: %s\n", driver_version);
        return 0;
    }
    if (!same_driver("IMEX version %s does not match driver version %s\n"))
        return 1;
    if (!listed()) {
        fprintf(stderr, "No nodes found in %s\n", NODES);
        return 1;
    }
    return daemon_live(IMEX_PID, 1);
}
