"""The API of a Kubernetes cluster as far as a twin needs it: nodes, pods, jobs and config maps, and what acts on them.

    resources.py    what is served, and how clients discover it      fields.py    which fields are known
    objects.py      the objects, with versions and conflicts         patches.py   merge and strategic merge
    selectors.py    labels and fields in questions                   nodes.py     what nodes say of themselves
    jobs.py         Jobs make pods, and end                          scheduler.py pods find nodes
    api.py          a request in, an answer out

Pods are run by the kubelets of the twin's hosts.
Shape: Kubernetes API reference 1.34 (kubernetes.io, read 2026-11-22).
"""
