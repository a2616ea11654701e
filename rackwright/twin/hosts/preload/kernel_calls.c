/* What the kernel of a twin node answers in place of the one below: its release, and the loading of its modules.
 *
 * Replaces uname, finit_module, init_module and delete_module in every program of a host (/etc/ld.so.preload). boot.py writes the
 * release to /proc/sys/kernel; modulefile.py writes the module files, whose `twin_needs` and `twin_conflicts` stand for what
 * probing for hardware would find. Errors are those of the kernel; /proc/modules and /sys/module change as on a real node.
 * Calls go one way: kernel_calls.c -> module_state.c -> module_file.c.
 */
#define _GNU_SOURCE
#include "module.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#define RELEASE "/proc/sys/kernel/osrelease"
#define VERSION "/proc/sys/kernel/version"
#define VISIBLE __attribute__((visibility("default")))
#define LOCK "/run/rackwright-twin/modules.lock"

VISIBLE int uname(struct utsname *name)
{
    int saved = errno;
    long done = syscall(SYS_uname, name);
    char text[sizeof name->release];
    if (done != 0)
        return -1;
    if (contents(RELEASE, text, sizeof text) > 0)
        strcpy(name->release, text);
    if (contents(VERSION, text, sizeof text) > 0)
        strcpy(name->version, text);
    errno = saved;
    return 0;
}

/* Why the kernel refuses a module (an errno value): key, release, dependencies, hardware; 0 when it does not. */
static int refusal(const struct module *module, const char *content)
{
    struct utsname kernel;
    const char *magic = fact(module, "vermagic");
    char name[64];
    if (!trusted(content, module->size))
        return EKEYREJECTED;
    if (uname(&kernel) || strncmp(magic, kernel.release, strlen(kernel.release)) || magic[strlen(kernel.release)] != ' ')
        return ENOEXEC;
    if (loaded(module->name))
        return EEXIST;
    for (const char *rest = fact(module, "depends"); (rest = next_name(rest, name, sizeof name));)
        if (!loaded(name))
            return ENOENT;
    if (*fact(module, "twin_needs") && access(fact(module, "twin_needs"), F_OK))
        return ENODEV;
    return *fact(module, "twin_conflicts") && loaded(fact(module, "twin_conflicts")) ? ENODEV : 0;
}

static int locked(void)
{
    int file = open(LOCK, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0)
        flock(file, LOCK_EX);
    return file;
}

VISIBLE int init_module(const void *content, unsigned long size, const char *given)
{
    struct module module;
    int lock = geteuid() ? -1 : locked(), error;
    if (lock < 0)
        return errno = EPERM, -1;
    error = read_module(content, size, &module) ? ENOEXEC : refusal(&module, content);
    if (!error)
        show(&module, given ? given : "");
    close(lock);
    return error ? (errno = error, -1) : 0;
}

VISIBLE int delete_module(const char *name, unsigned flags)
{
    int lock = geteuid() ? -1 : locked(), done, saved;
    (void)flags;
    if (lock < 0)
        return errno = EPERM, -1;
    done = hide(name);
    saved = errno;
    close(lock);
    return errno = saved, done;
}

static int finit_module(int file, const char *given)
{
    struct stat found;
    char *content;
    int done;
    if (fstat(file, &found) || !(content = malloc((size_t)found.st_size + 1)))
        return -1;
    if (pread(file, content, (size_t)found.st_size, 0) != found.st_size)
        return free(content), errno = EIO, -1;
    done = init_module(content, (unsigned long)found.st_size, given);
    free(content);
    return done;
}

/* kmod calls finit_module through syscall(2). */
VISIBLE long syscall(long number, ...)
{
    static long (*real)(long, ...);
    long a[6];
    va_list rest;
    va_start(rest, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(rest, long);
    va_end(rest);
    if (number == SYS_finit_module)
        return finit_module((int)a[0], (const char *)a[1]);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
