/* How the twin's programs call NVML: through the installed libnvidia-ml.so.1, loaded when the program starts.
 *
 * A program must not carry the library in itself: what it reports has to follow the package that is installed.
 */
#ifndef RACKWRIGHT_TWIN_NVML_CLIENT_H
#define RACKWRIGHT_TWIN_NVML_CLIENT_H

#include "nvml.h"

/* Loads and starts the library: NVML_SUCCESS, NVML_ERROR_LIBRARY_NOT_FOUND or what nvmlInit_v2 says. */
nvmlReturn_t client_start(void);

const char *client_error(nvmlReturn_t result);
unsigned client_count(void);
nvmlDevice_t client_device(unsigned index);

/* Calls of the usual shapes by name; anything but NVML_SUCCESS leaves `out` alone. */
nvmlReturn_t client_system_text(const char *function, char *out, unsigned length);
nvmlReturn_t client_text(const char *function, nvmlDevice_t device, char *out, unsigned length);
nvmlReturn_t client_number(const char *function, nvmlDevice_t device, unsigned *out);
nvmlReturn_t client_count_of(const char *function, nvmlDevice_t device, nvmlCount_t *out);

/* The function itself, for other shapes; NULL when the library lacks it. */
void *client_function(const char *function);

#endif
