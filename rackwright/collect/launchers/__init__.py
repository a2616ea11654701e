"""Ways to start one command on several nodes at the same time: Slurm, MPI over SSH, a Kubernetes Job."""
