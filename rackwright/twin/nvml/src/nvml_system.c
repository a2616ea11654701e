/* libnvidia-ml.so.1, first half: start, versions, and finding devices. Readings of a device are in nvml_device.c.
 *
 * The library refuses to start exactly where the real one does: no accelerators or no kernel module (driver not loaded),
 * and a loaded kernel module of another release than the library (upgraded without a reboot).
 */
#include "nvml_device.h"
#include "twin_state.h"
#include "version.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct nvmlDevice_st {
    unsigned index;
};

#define MOST_DEVICES 64
static struct nvmlDevice_st devices[MOST_DEVICES];
static unsigned device_count, users;

/* The module loads on first use (nvidia-modprobe) and stays at its version until the machine restarts. */
static void load_module(const char *version)
{
    char path[4096];
    twin_path(TWIN_MODULE_LOADED, path, sizeof path);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (file < 0)
        return; /* another process was first, or this user may not: the version on disk is what would be loaded */
    dprintf(file, "%s\n", version);
    close(file);
}

static nvmlReturn_t start(void)
{
    char on_disk[64], loaded[64];
    if (!twin_load() || twin_gpu_count() == 0)
        return NVML_ERROR_DRIVER_NOT_LOADED;
    if (!twin_first_line(TWIN_MODULE_LOADED, loaded, sizeof loaded)) {
        if (!twin_first_line(TWIN_MODULE_ON_DISK, on_disk, sizeof on_disk))
            return NVML_ERROR_DRIVER_NOT_LOADED;
        load_module(on_disk);
        if (!twin_first_line(TWIN_MODULE_LOADED, loaded, sizeof loaded))
            snprintf(loaded, sizeof loaded, "%s", on_disk);
    }
    if (strcmp(loaded, driver_version))
        return NVML_ERROR_LIB_RM_VERSION_MISMATCH;
    device_count = twin_gpu_count() < MOST_DEVICES ? twin_gpu_count() : MOST_DEVICES;
    for (unsigned i = 0; i < device_count; i++)
        devices[i].index = i;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlInitWithFlags(unsigned flags)
{
    (void)flags;
    nvmlReturn_t result = start();
    users += result == NVML_SUCCESS;
    return result;
}

nvmlReturn_t nvmlInit_v2(void) { return nvmlInitWithFlags(0); }
nvmlReturn_t nvmlInit(void) { return nvmlInitWithFlags(0); }

nvmlReturn_t nvmlShutdown(void)
{
    if (!users)
        return NVML_ERROR_UNINITIALIZED;
    users--;
    return NVML_SUCCESS;
}

nvmlReturn_t device_index(nvmlDevice_t device, unsigned *index)
{
    if (!users)
        return NVML_ERROR_UNINITIALIZED;
    if (device < devices || device >= devices + device_count)
        return NVML_ERROR_INVALID_ARGUMENT;
    *index = device->index;
    return NVML_SUCCESS;
}

nvmlReturn_t give_text(const char *value, char *out, unsigned length)
{
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (!value)
        return NVML_ERROR_NOT_SUPPORTED;
    if (strlen(value) >= length)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(out, value);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *out, unsigned length)
{
    return users ? give_text(driver_version, out, length) : NVML_ERROR_UNINITIALIZED;
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *out, unsigned length)
{
    char version[80]; /* the CUDA major goes in front: 13.580.173.02 */
    snprintf(version, sizeof version, "%d.%s", cuda_version / 1000, driver_version);
    return give_text(version, out, length);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    if (!version)
        return NVML_ERROR_INVALID_ARGUMENT;
    *version = cuda_version;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version) { return nvmlSystemGetCudaDriverVersion_v2(version); }

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count)
{
    if (!users)
        return NVML_ERROR_UNINITIALIZED;
    if (!count)
        return NVML_ERROR_INVALID_ARGUMENT;
    *count = device_count;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device)
{
    if (!users)
        return NVML_ERROR_UNINITIALIZED;
    if (!device || index >= device_count)
        return NVML_ERROR_INVALID_ARGUMENT;
    *device = &devices[index];
    return NVML_SUCCESS;
}

static nvmlReturn_t by_text(const char *key, const char *wanted, nvmlDevice_t *device)
{
    if (!users)
        return NVML_ERROR_UNINITIALIZED;
    if (!device || !wanted)
        return NVML_ERROR_INVALID_ARGUMENT;
    for (unsigned i = 0; i < device_count; i++) {
        const char *value = twin_gpu(i, key);
        if (value && !strcasecmp(value, wanted)) {
            *device = &devices[i];
            return NVML_SUCCESS;
        }
    }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) { return by_text("uuid", uuid, device); }
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device) { return by_text("bus_id", id, device); }

const char *nvmlErrorString(nvmlReturn_t result)
{
    switch (result) {
    case NVML_SUCCESS: return "Success";
    case NVML_ERROR_UNINITIALIZED: return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT: return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED: return "Not Supported";
    case NVML_ERROR_NO_PERMISSION: return "Insufficient Permissions";
    case NVML_ERROR_NOT_FOUND: return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE: return "Insufficient Size";
    case NVML_ERROR_DRIVER_NOT_LOADED: return "Driver Not Loaded";
    case NVML_ERROR_LIBRARY_NOT_FOUND: return "NVML Shared Library Not Found";
    case NVML_ERROR_FUNCTION_NOT_FOUND: return "Function Not Found";
    case NVML_ERROR_LIB_RM_VERSION_MISMATCH: return "Driver/library version mismatch";
    case NVML_ERROR_ARGUMENT_VERSION_MISMATCH: return "Argument version mismatch";
    default: return "Unknown Error";
    }
}
