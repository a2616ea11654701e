"""What runs on a node in worker mode, before and around ansible-runner.

Standard library only and never imported by the rest of rackwright, because these files run on the nodes' own Python: `bootstrap` is sent
with the connection, `launch` and `start` are in the bundle (`worker_bundle`).
"""
