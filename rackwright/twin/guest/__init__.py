"""What runs inside a host of the twin: its boot, its init and its `systemctl`.

Standard library only and started by path (never imported by the rest of rackwright), because these files run on the
hosts' own Python, without our package. `boot` makes the namespaces and becomes `init`; `init` reads real unit files
and runs services; `systemctl` hands its words to `init` over a socket and prints the answer.
"""
