/* Shows which modules are loaded where Linux does: /sys/module, /proc/modules (proc(5)), /proc/driver/nvidia. */
#define _GNU_SOURCE
#include "module.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODULES "/sys/module"
#define LISTED "/run/rackwright-twin/proc-modules" /* what /proc/modules shows */

ssize_t contents(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, size - 1);
    if (file >= 0)
        close(file);
    if (length < 0)
        return -1;
    text[length] = 0;
    text[strcspn(text, "\n")] = 0;
    return length;
}

static int state(const char *module, const char *leaf, const char *text)
{
    char path[512];
    int file, done;
    snprintf(path, sizeof path, MODULES "/%s/%s", module, leaf);
    if (!text)
        return mkdir(path, 0755);
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0)
        return -1;
    done = dprintf(file, "%s\n", text);
    close(file);
    return done < 0 ? -1 : 0;
}

int loaded(const char *module)
{
    char path[512];
    snprintf(path, sizeof path, MODULES "/%s/initstate", module);
    return access(path, F_OK) == 0;
}

static int entry(const struct dirent *one)
{
    return one->d_name[0] != '.';
}

/* The modules that hold `module`, with a comma after each; their number. */
static int holders(const char *module, char *text, size_t size)
{
    struct dirent **found;
    char path[512];
    int count, at = 0;
    snprintf(path, sizeof path, MODULES "/%s/holders", module);
    count = scandir(path, &found, entry, alphasort);
    for (int i = 0; i < count; i++) {
        if ((size_t)at < size)
            at += snprintf(text + at, size - (size_t)at, "%s,", found[i]->d_name);
        free(found[i]);
    }
    if (count <= 0)
        snprintf(text, size, "-");
    else
        text[size - 1] = 0;
    if (count >= 0)
        free(found);
    return count > 0 ? count : 0;
}

/* Writes the counters and /proc/modules (proc(5)) again from what is loaded. */
static void list(void)
{
    struct dirent **found;
    int count = scandir(MODULES, &found, entry, alphasort);
    int file = open(LISTED, O_WRONLY | O_TRUNC | O_CLOEXEC);
    for (int i = 0; i < count; i++) {
        char used[1024], path[512], size[32] = "0", number[16];
        const char *name = found[i]->d_name;
        if (loaded(name)) {
            int users = holders(name, used, sizeof used);
            snprintf(path, sizeof path, MODULES "/%s/coresize", name);
            contents(path, size, sizeof size);
            snprintf(number, sizeof number, "%d", users);
            state(name, "refcnt", number);
            dprintf(file, "%s %s %d %s Live 0x0000000000000000\n", name, size, users, used);
        }
        free(found[i]);
    }
    if (count >= 0)
        free(found);
    if (file >= 0)
        close(file);
}

/* Options of a module as modprobe hands them over: `name=value` with blanks between. */
static void options(const char *module, const char *given)
{
    char copy[2048], leaf[256], *rest = copy, *word, *equals;
    snprintf(copy, sizeof copy, "%s", given);
    state(module, "parameters", NULL);
    while ((word = strsep(&rest, " ")))
        if ((equals = strchr(word, '='))) {
            *equals = 0;
            snprintf(leaf, sizeof leaf, "parameters/%s", word);
            state(module, leaf, equals + 1);
        }
}

/* /proc/driver/nvidia as the driver shows it (README of the driver, chapter "The /proc Interface"). */
static void proc_nvidia(const struct module *module)
{
    char path[512], value[256];
    struct dirent **found;
    int count, file;
    if (strcmp(module->name, "nvidia") || (mkdir("/proc/driver/nvidia", 0555) && errno != EEXIST))
        return;
    file = open("/proc/driver/nvidia/version", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0444);
    dprintf(file, "NVRM version: NVIDIA UNIX %sKernel Module for x86_64  %s  Release Build  (twin)\n",
            strstr(fact(module, "license"), "GPL") ? "Open " : "x86_64 ", fact(module, "version"));
    close(file);
    file = open("/proc/driver/nvidia/params", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0444);
    count = scandir(MODULES "/nvidia/parameters", &found, entry, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, MODULES "/nvidia/parameters/%s", found[i]->d_name);
        if (!strncmp(found[i]->d_name, "NVreg_", 6) && contents(path, value, sizeof value) >= 0)
            dprintf(file, "%s: %s\n", found[i]->d_name + 6, value);
        free(found[i]);
    }
    if (count >= 0)
        free(found);
    close(file);
}

int show(const struct module *module, const char *given)
{
    char path[512], text[64];
    snprintf(path, sizeof path, MODULES "/%s", module->name);
    mkdir(path, 0755);
    if (*fact(module, "version"))
        state(module->name, "version", fact(module, "version"));
    snprintf(text, sizeof text, "%zu", module->size);
    state(module->name, "coresize", text);
    state(module->name, "taint", *fact(module, "intree") ? "" : "OE");
    state(module->name, "holders", NULL);
    options(module->name, given);
    for (const char *rest = fact(module, "depends"); (rest = next_name(rest, text, sizeof text));) {
        snprintf(path, sizeof path, MODULES "/%s/holders/%s", text, module->name);
        close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0444));
    }
    proc_nvidia(module);
    state(module->name, "initstate", "live");
    list();
    return 0;
}

static int clear(const char *path)
{
    char below[512];
    struct dirent **found;
    int count = scandir(path, &found, entry, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(below, sizeof below, "%s/%s", path, found[i]->d_name);
        if (unlink(below))
            clear(below);
        free(found[i]);
    }
    if (count >= 0)
        free(found);
    return rmdir(path);
}

int hide(const char *module)
{
    char used[1024], path[512];
    struct dirent **found;
    int count;
    if (!loaded(module) || holders(module, used, sizeof used))
        return errno = loaded(module) ? EWOULDBLOCK : ENOENT, -1;
    snprintf(path, sizeof path, MODULES "/%s", module);
    clear(path);
    count = scandir(MODULES, &found, entry, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, MODULES "/%s/holders/%s", found[i]->d_name, module);
        unlink(path);
        free(found[i]);
    }
    if (count >= 0)
        free(found);
    if (!strcmp(module, "nvidia"))
        clear("/proc/driver/nvidia");
    list();
    return 0;
}
