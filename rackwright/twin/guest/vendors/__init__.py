"""Tools of accelerator vendors as programs of the mirror's packages: they answer from the state of the node.

Each module has `main`; a package names it as ``program: vendors.amd_smi``. The shapes of their outputs are those of public records, named in
each module.
"""
