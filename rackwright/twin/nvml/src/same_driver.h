/* What ties a daemon to the driver: fabric manager and IMEX work with the driver of their own version alone. */
#ifndef RACKWRIGHT_TWIN_SAME_DRIVER_H
#define RACKWRIGHT_TWIN_SAME_DRIVER_H

/* Starts NVML; whether the loaded driver has the version of this program. What is wrong is said here: `otherwise` is the sentence
 * for another version, with this program's own and the driver's (both %s). */
int same_driver(const char *otherwise);

#endif
