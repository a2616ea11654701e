/* nvidia-persistenced: while it runs, NVML reports persistence mode as enabled. */
#include "daemon.h"
#include "nvml_client.h"
#include "twin_state.h"
#include "version.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (int a = 1; a < argc; a++)
        if (!strcmp(argv[a], "--version") || !strcmp(argv[a], "-v")) {
            printf("nvidia-persistenced:  version %s\n", driver_version);
            return 0;
        }
    nvmlReturn_t result = client_start();
    if (result) {
        fprintf(stderr, "nvidia-persistenced failed to initialize. Check syslog for more details: %s\n", client_error(result));
        return 1;
    }
    return daemon_live(PERSISTENCED_PID, 1);
}
