"""The Kubernetes cluster of a twin: a real control plane, and nodes whose kubelets are those of the twin's hosts.

programs.py       etcd, API server, controllers and scheduler: where they are, how they start
ca.py             the CA of the cluster and its accounts
joining.py        what kubeadm puts into a new cluster so that nodes can join
control_plane.py  all of it, up and down
site_cluster.py   that of a site, and what its own servers have of it
"""
