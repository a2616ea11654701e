"""The probe: the only code of ours that runs on a node. Standard library, Python 3.8 syntax, and the module pynvml beside it.

In: one JSON document on standard input. Out: one JSON line per question as soon as it is answered, then ``{"id": "end"}``.
It is carried as a zipapp (`rackwright.collect.probe_build`), so modules here import each other only by relative names.
"""
