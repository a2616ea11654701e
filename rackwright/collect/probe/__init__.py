"""The probe: our only code that runs on a node. Standard library, Python 3.8 syntax, and the module pynvml beside it.

It is shipped as a zipapp (`rackwright.collect.probe_build`), so its modules import each other only by relative names.
"""
