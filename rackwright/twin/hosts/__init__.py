"""The hosts of a twin: network namespaces with a real init, sshd and package manager, and the files they start with."""
