/* What the two halves of the library share. */
#ifndef RACKWRIGHT_TWIN_NVML_DEVICE_H
#define RACKWRIGHT_TWIN_NVML_DEVICE_H

#include "nvml.h"

/* The index behind a handle, or why the handle is no good. */
nvmlReturn_t device_index(nvmlDevice_t device, unsigned *index);

/* Copies `value` (NULL: not supported) with its end mark into `out`. */
nvmlReturn_t give_text(const char *value, char *out, unsigned length);

#endif
