/* libnvidia-ml.so.1, first half: start, versions, and finding devices. Readings of a device are in nvml_device.c.
 *
 * The library refuses to start exactly where the real one does: no accelerators or no kernel module (driver not loaded),
 * and a loaded kernel module of another release than the library (upgraded without a reboot).
 */
#include "nvml_device.h"
#include "twin_state.h"
#include "version.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct nvmlDevice_st {
    unsigned index;
};

#define MOST_DEVICES 64
static struct nvmlDevice_st devices[MOST_DEVICES];
static unsigned device_count, users;

/* The first user loads the module (the real library asks nvidia-modprobe, which is setuid); it stays until a restart. */
static void load_module(void)
{
    char path[4096];
    pid_t child;
    int status, nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    twin_path(TWIN_MODPROBE, path, sizeof path);
    char *arguments[] = {path, "-q", "nvidia", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, nothing, 2);
    if (!posix_spawn(&child, path, &actions, NULL, arguments, environ))
        waitpid(child, &status, 0);
    posix_spawn_file_actions_destroy(&actions);
    close(nothing);
}

static nvmlReturn_t start(void)
{
    char loaded[64];
    if (!twin_load() || twin_gpu_count() == 0)
        return NVML_ERROR_DRIVER_NOT_LOADED;
    if (!twin_first_line(TWIN_MODULE_LOADED, loaded, sizeof loaded)) {
        load_module();
        if (!twin_first_line(TWIN_MODULE_LOADED, loaded, sizeof loaded))
            return NVML_ERROR_DRIVER_NOT_LOADED;
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
