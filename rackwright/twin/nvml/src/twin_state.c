/* Reads what twin_state.h describes. Cut here so that the library and the programs agree on one reader. */
#include "twin_state.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static char *text;

void twin_path(const char *path, char *out, size_t size)
{
    const char *root = getenv("RACKWRIGHT_TWIN_ROOT");
    snprintf(out, size, "%s%s", root ? root : "", path);
}

bool twin_load(void)
{
    char path[4096];
    twin_path(TWIN_STATE, path, sizeof path);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    free(text);
    text = NULL;
    size_t room = 0;
    ssize_t length = getdelim(&text, &room, '\0', file);
    fclose(file);
    if (length < 0) {
        free(text);
        text = NULL;
        return false;
    }
    return true;
}

static const char *value(const char *key)
{
    static _Thread_local char found[1024];
    size_t length = strlen(key);
    for (const char *line = text; line && *line; line += *line == '\n') {
        size_t end = strcspn(line, "\n");
        if (end > length && !strncmp(line, key, length) && line[length] == '=') {
            snprintf(found, sizeof found, "%.*s", (int)(end - length - 1), line + length + 1);
            return found;
        }
        line += end;
    }
    return NULL;
}

const char *twin_gpu(unsigned index, const char *key)
{
    char name[128];
    snprintf(name, sizeof name, "gpu.%u.%s", index, key);
    return value(name);
}

unsigned twin_gpu_count(void)
{
    const char *count = value("gpus");
    return count ? (unsigned)strtoul(count, NULL, 10) : 0;
}

bool twin_first_line(const char *path, char *out, size_t size)
{
    char full[4096];
    twin_path(path, full, sizeof full);
    FILE *file = fopen(full, "r");
    if (!file)
        return false;
    char *line = fgets(out, (int)size, file);
    fclose(file);
    if (!line)
        return false;
    out[strcspn(out, "\r\n")] = '\0';
    return *out != '\0';
}

bool twin_daemon_runs(const char *pid_file, const char *name)
{
    char line[64], path[64], command[64];
    if (!twin_first_line(pid_file, line, sizeof line))
        return false;
    long pid = strtol(line, NULL, 10);
    if (pid <= 0 || (kill((pid_t)pid, 0) && errno != EPERM))
        return false;
    snprintf(path, sizeof path, "/proc/%ld/comm", pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool read = fgets(command, sizeof command, file) != NULL;
    fclose(file);
    command[read ? strcspn(command, "\n") : 0] = '\0';
    return read && !strncmp(command, name, 15);
}
