#include "nvml_client.h"

#include <dlfcn.h>
#include <stddef.h>

static void *library;

void *client_function(const char *function) { return library ? dlsym(library, function) : NULL; }

nvmlReturn_t client_start(void)
{
    library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!library)
        return NVML_ERROR_LIBRARY_NOT_FOUND;
    nvmlReturn_t (*init)(void) = client_function("nvmlInit_v2");
    return init ? init() : NVML_ERROR_FUNCTION_NOT_FOUND;
}

const char *client_error(nvmlReturn_t result)
{
    const char *(*text)(nvmlReturn_t) = client_function("nvmlErrorString");
    return text ? text(result) : "NVML Shared Library Not Found";
}

unsigned client_count(void)
{
    unsigned count = 0;
    nvmlReturn_t (*call)(unsigned *) = client_function("nvmlDeviceGetCount_v2");
    return call && !call(&count) ? count : 0;
}

nvmlDevice_t client_device(unsigned index)
{
    nvmlDevice_t device = NULL;
    nvmlReturn_t (*call)(unsigned, nvmlDevice_t *) = client_function("nvmlDeviceGetHandleByIndex_v2");
    return call && !call(index, &device) ? device : NULL;
}

nvmlReturn_t client_system_text(const char *function, char *out, unsigned length)
{
    nvmlReturn_t (*call)(char *, unsigned) = client_function(function);
    return call ? call(out, length) : NVML_ERROR_FUNCTION_NOT_FOUND;
}

nvmlReturn_t client_text(const char *function, nvmlDevice_t device, char *out, unsigned length)
{
    nvmlReturn_t (*call)(nvmlDevice_t, char *, unsigned) = client_function(function);
    return call ? call(device, out, length) : NVML_ERROR_FUNCTION_NOT_FOUND;
}

nvmlReturn_t client_number(const char *function, nvmlDevice_t device, unsigned *out)
{
    nvmlReturn_t (*call)(nvmlDevice_t, unsigned *) = client_function(function);
    return call ? call(device, out) : NVML_ERROR_FUNCTION_NOT_FOUND;
}

nvmlReturn_t client_count_of(const char *function, nvmlDevice_t device, nvmlCount_t *out)
{
    nvmlReturn_t (*call)(nvmlDevice_t, nvmlCount_t *) = client_function(function);
    return call ? call(device, out) : NVML_ERROR_FUNCTION_NOT_FOUND;
}
