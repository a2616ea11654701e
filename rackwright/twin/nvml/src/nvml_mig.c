/* libnvidia-ml.so.1, Multi-Instance GPU: whether a device is partitioned, as nvidia-mig-parted left it. */
#include "nvml_device.h"
#include "twin_state.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MIG_DISABLE, MIG_ENABLE };

nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned *current, unsigned *pending)
{
    char path[4096], line[128], word[64];
    unsigned index, gpu;
    nvmlReturn_t result = device_index(device, &index);
    if (result)
        return result;
    if (!current || !pending)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (!twin_gpu(index, "mig_slices"))
        return NVML_ERROR_NOT_SUPPORTED;
    const char *left = twin_gpu(index, "mig.enabled");
    *current = *pending = left && *left == '1' ? MIG_ENABLE : MIG_DISABLE;
    twin_path(TWIN_MIG, path, sizeof path);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%u %63s", &gpu, word) == 2 && gpu == index && !strcmp(word, "enabled"))
            *current = *pending = MIG_ENABLE;
    if (file)
        fclose(file);
    return NVML_SUCCESS;
}
