#include "same_driver.h"

#include "nvml_client.h"
#include "version.h"

#include <stdio.h>
#include <string.h>

int same_driver(const char *otherwise)
{
    char loaded[96] = "";
    nvmlReturn_t result = client_start();
    if (result) {
        fprintf(stderr, "failed to initialize NVML: %s\n", client_error(result));
        return 0;
    }
    client_system_text("nvmlSystemGetDriverVersion", loaded, sizeof loaded);
    if (!strcmp(loaded, driver_version))
        return 1;
    fprintf(stderr, otherwise, driver_version, loaded);
    return 0;
}
