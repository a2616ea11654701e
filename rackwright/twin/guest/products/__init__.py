"""Programs of container, Kubernetes, RDMA and monitoring products, as packages of the twin's mirror bring them to a node."""
