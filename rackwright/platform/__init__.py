"""The Kubernetes platform of a design: node labels, queues, topologies, as plain objects. Pure.

`rackwright export` writes them into files; a stack applies the same objects.
"""
