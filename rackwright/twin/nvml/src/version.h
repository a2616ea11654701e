/* Which driver release a binary belongs to; the values come from the build (version.c is compiled once per release). */
#ifndef RACKWRIGHT_TWIN_VERSION_H
#define RACKWRIGHT_TWIN_VERSION_H

extern const char driver_version[]; /* 580.173.02 */
extern const int cuda_version;      /* 1000 * major + 10 * minor, as cuDriverGetVersion gives it */

#endif
