"""Parts of the simulated hardware, one file per domain: what can be wrong with it, healthy unless a fault says otherwise.

In: the design's node or site. Out: frozen records that hang on `state.Machine`, `state.Gpu`, `state.NicPort` and `state.State`. Cut here so
that a new kind of fault is a field beside its kind, and `state` stays the list of what a machine is made of.
"""
