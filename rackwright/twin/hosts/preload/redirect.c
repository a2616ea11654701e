/* Gives a twin node /proc/modules where the kernel below was built without modules, and so has no such file to mount over.
 *
 * In: calls of every program of a host that name a file. Out: the same call, with LISTED_HERE in place of /proc/modules.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define VISIBLE __attribute__((visibility("default")))
#define LISTED "/proc/modules"
#define LISTED_HERE "/run/rackwright-twin/proc-modules"

static const char *where(const char *path)
{
    return path && !strcmp(path, LISTED) ? LISTED_HERE : path;
}

static void *next(void **known, const char *name)
{
    if (!*known)
        *known = dlsym(RTLD_NEXT, name);
    return *known;
}

#define NEXT(name) static void *known; __typeof__(&name) real = (__typeof__(&name))next(&known, #name)

static mode_t mode_of(int flags, va_list rest)
{
    return flags & (O_CREAT | __O_TMPFILE) ? (mode_t)va_arg(rest, unsigned) : 0;
}

#define OPEN(name)                                         \
    VISIBLE int name(const char *path, int flags, ...)     \
    {                                                      \
        NEXT(name);                                        \
        va_list rest;                                      \
        va_start(rest, flags);                             \
        mode_t mode = mode_of(flags, rest);                \
        va_end(rest);                                      \
        return real(where(path), flags, mode);             \
    }

#define OPENAT(name)                                               \
    VISIBLE int name(int folder, const char *path, int flags, ...) \
    {                                                              \
        NEXT(name);                                                \
        va_list rest;                                              \
        va_start(rest, flags);                                     \
        mode_t mode = mode_of(flags, rest);                        \
        va_end(rest);                                              \
        return real(folder, where(path), flags, mode);             \
    }

#define FOPEN(name)                                         \
    VISIBLE FILE *name(const char *path, const char *mode)  \
    {                                                       \
        NEXT(name);                                         \
        return real(where(path), mode);                     \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
FOPEN(fopen)
FOPEN(fopen64)

VISIBLE int access(const char *path, int mode)
{
    NEXT(access);
    return real(where(path), mode);
}

VISIBLE int stat(const char *restrict path, struct stat *restrict found)
{
    NEXT(stat);
    return real(where(path), found);
}

VISIBLE int fstatat(int folder, const char *restrict path, struct stat *restrict found, int flags)
{
    NEXT(fstatat);
    return real(folder, where(path), found, flags);
}
