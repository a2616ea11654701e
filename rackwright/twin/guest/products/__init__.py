"""Programs of container, Kubernetes, RDMA and monitoring products, as packages of the twin's mirror bring them to a node.

In: command lines, as of the real programs. Out: what these say and do, from the state of the machine: configuration files, kernel
modules, accelerators, the cluster. Cut here because packages name them (``program: products.kubeadm``) and nothing else does.
"""
