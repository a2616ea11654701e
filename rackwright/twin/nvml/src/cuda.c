/* libcuda.so.1: start, version and device count; what a version check asks of the CUDA driver library. */
#include "nvml_client.h"
#include "version.h"

enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_NO_DEVICE = 100, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803 };

int cuInit(unsigned flags)
{
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    nvmlReturn_t result = client_start();
    if (result == NVML_ERROR_LIB_RM_VERSION_MISMATCH)
        return CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
    return result || !client_count() ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

int cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = cuda_version;
    return CUDA_SUCCESS;
}

int cuDeviceGetCount(int *count)
{
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = (int)client_count();
    return CUDA_SUCCESS;
}
