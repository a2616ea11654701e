#include "version.h"

const char driver_version[] = DRIVER_VERSION;
const int cuda_version = CUDA_VERSION;
