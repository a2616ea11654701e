#include "daemon.h"

#include "twin_state.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile sig_atomic_t stopping;

static void stop(int signal)
{
    (void)signal;
    stopping = 1;
}

static int write_pid(const char *path)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    mkdir(folder, 0755);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        return 1;
    }
    fprintf(file, "%d\n", (int)getpid());
    return fclose(file) != 0;
}

/* The parent of a daemon leaves only after the daemon has written its pid file. */
static void wait_for_child(int ready)
{
    char answer = 1;
    exit(read(ready, &answer, 1) == 1 ? answer : 1);
}

int daemon_live(const char *pid_file, int background)
{
    char path[4096];
    int ready[2];
    twin_path(pid_file, path, sizeof path);
    if (background) {
        if (pipe(ready))
            return 1;
        if (fork() > 0) {
            close(ready[1]);
            wait_for_child(ready[0]);
        }
        setsid();
    }
    struct sigaction action = {.sa_handler = stop};
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    char failed = (char)write_pid(path);
    if (background) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 0);
        dup2(nothing, 1);
        dup2(nothing, 2);
        if (write(ready[1], &failed, 1) != 1)
            return 1;
        close(ready[0]);
        close(ready[1]);
    }
    if (failed)
        return 1;
    if (chdir("/"))
        return 1;
    sigdelset(&before, SIGTERM);
    sigdelset(&before, SIGINT);
    while (!stopping)
        sigsuspend(&before); /* signals arrive only here, so none is lost between the test and the wait */
    unlink(path);
    return 0;
}
