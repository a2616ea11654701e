/* Limits of processes for the hosts of a twin, on a machine that does not let root raise them (no CAP_SYS_RESOURCE).
 *
 * In: setrlimit, getrlimit and prlimit of every program of a host (/etc/ld.so.preload). Out: what the kernel would have said
 * with the capability: a limit that it refuses to raise is noted for the process, and found again by the process and its
 * descendants. The kernel itself enforces the lower limit; /proc/PID/limits shows that one.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOTES "/run/rackwright-twin/limits"
#define DEPTH 32
#define VISIBLE __attribute__((visibility("default")))

static int real_limit(pid_t pid, int resource, const struct rlimit *set, struct rlimit *got)
{
    return (int)syscall(SYS_prlimit64, pid, resource, set, got);
}

static int note_path(char *path, size_t size, int resource, pid_t pid)
{
    return snprintf(path, size, NOTES "/%d/%d", resource, (int)pid) < (int)size;
}

/* Parent and start time of a process, from /proc/PID/stat (proc(5), fields 4 and 22). */
static int process(pid_t pid, pid_t *parent, unsigned long long *started)
{
    char path[32], text[1024], *field;
    ssize_t length;
    int file, number;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0)
        return 0;
    text[length] = 0;
    field = strrchr(text, ')');
    if (!field || sscanf(field + 2, "%*c %d", &number) != 1)
        return 0;
    *parent = number;
    return sscanf(field + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", started) == 1;
}

static int read_note(int resource, pid_t pid, unsigned long long started, struct rlimit *got)
{
    char path[64], text[128];
    unsigned long long then, soft, hard;
    ssize_t length;
    int file;
    if (!note_path(path, sizeof path, resource, pid))
        return 0;
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0)
        return 0;
    text[length] = 0;
    if (sscanf(text, "%llu %llu %llu", &then, &soft, &hard) != 3 || then != started)
        return 0;
    got->rlim_cur = soft;
    got->rlim_max = hard;
    return 1;
}

/* The note that holds for a process: its own or that of the nearest ancestor. */
static int noted(int resource, pid_t pid, struct rlimit *got)
{
    char folder[64];
    unsigned long long started;
    pid_t parent;
    int depth;
    snprintf(folder, sizeof folder, NOTES "/%d", resource);
    if (access(folder, X_OK) != 0)
        return 0;
    for (depth = 0; depth < DEPTH && pid > 0 && process(pid, &parent, &started); depth++) {
        if (read_note(resource, pid, started, got))
            return 1;
        pid = parent;
    }
    return 0;
}

static int write_note(int resource, pid_t pid, const struct rlimit *set)
{
    char path[64], text[128];
    unsigned long long started;
    pid_t parent;
    int file, length, done;
    if (!process(pid, &parent, &started) || !note_path(path, sizeof path, resource, pid))
        return -1;
    mkdir(NOTES, 0755);
    snprintf(text, sizeof text, NOTES "/%d", resource);
    mkdir(text, 0755);
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0)
        return -1;
    length = snprintf(text, sizeof text, "%llu %llu %llu\n", started, (unsigned long long)set->rlim_cur,
                      (unsigned long long)set->rlim_max);
    done = write(file, text, (size_t)length) == length;
    close(file);
    return done ? 0 : -1;
}

static rlim_t lower(rlim_t one, rlim_t other)
{
    return one < other ? one : other; /* RLIM_INFINITY is the largest number */
}

static int set_limit(pid_t pid, int resource, const struct rlimit *set)
{
    pid_t own = pid ? pid : getpid();
    struct rlimit before, now, nearest;
    int known = noted(resource, own, &before), saved = errno;
    if (real_limit(pid, resource, set, NULL) == 0)
        return known ? (write_note(resource, own, set), errno = saved, 0) : 0;
    if (errno != EPERM || set->rlim_cur > set->rlim_max || real_limit(pid, resource, NULL, &now) != 0)
        return -1;
    if (geteuid() != 0 && !(known && set->rlim_max <= before.rlim_max)) {
        errno = EPERM;
        return -1;
    }
    nearest.rlim_max = lower(set->rlim_max, now.rlim_max);
    nearest.rlim_cur = lower(set->rlim_cur, nearest.rlim_max);
    if (real_limit(pid, resource, &nearest, NULL) != 0)
        return -1;
    if (geteuid() == 0)
        write_note(resource, own, set);
    errno = saved;
    return 0;
}

static int get_limit(pid_t pid, int resource, struct rlimit *got)
{
    int saved = errno;
    if (noted(resource, pid ? pid : getpid(), got))
        return errno = saved, 0;
    return real_limit(pid, resource, NULL, got);
}

VISIBLE int setrlimit(__rlimit_resource_t resource, const struct rlimit *set)
{
    return set_limit(0, (int)resource, set);
}

VISIBLE int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *set)
{
    return set_limit(0, (int)resource, (const struct rlimit *)set);
}

VISIBLE int getrlimit(__rlimit_resource_t resource, struct rlimit *got)
{
    return get_limit(0, (int)resource, got);
}

VISIBLE int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *got)
{
    return get_limit(0, (int)resource, (struct rlimit *)got);
}

VISIBLE int prlimit(pid_t pid, __rlimit_resource_t resource, const struct rlimit *set, struct rlimit *got)
{
    if (got && get_limit(pid, (int)resource, got) != 0)
        return -1;
    return set ? set_limit(pid, (int)resource, set) : 0;
}

VISIBLE int prlimit64(pid_t pid, __rlimit_resource_t resource, const struct rlimit64 *set, struct rlimit64 *got)
{
    return prlimit(pid, resource, (const struct rlimit *)set, (struct rlimit *)got);
}
