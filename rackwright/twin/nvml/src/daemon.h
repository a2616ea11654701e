/* How the twin's daemons live: one background process, one pid file, gone on SIGTERM. */
#ifndef RACKWRIGHT_TWIN_DAEMON_H
#define RACKWRIGHT_TWIN_DAEMON_H

/* Writes `pid_file` (below the twin's root; its folder is made) and waits until told to stop, then removes it.
 * With `background` the caller's process returns 0 as soon as the daemon is up. Returns the exit status. */
int daemon_live(const char *pid_file, int background);

#endif
