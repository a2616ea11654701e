"""The proof that a control plane of three servers goes up by one minor release: real kubeadm, etcd and Kubernetes of two releases.

Stand-ins, because containers cannot be had here: `container_runtime` (what containerd answers kubeadm), `kubelet` (static pods as programs of this
machine, mirror pods, the node), the load balancer in `cluster`, and `systemctl` and `crictl` in `server`. CoreDNS, kube-proxy and the Job by which
kubeadm tries the cluster are pods without a program.
"""
