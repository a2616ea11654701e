"""Performance of the declared hardware of the twin, healthy or not, and the output of the tools that measure it.

model.py    parts -> shares of what a healthy part reaches
burn.py  copies.py  collectives.py  files.py  smoke.py           records of one node
vendors.py  the same records from tools of other vendors
members.py  together.py  rails.py  groups.py                     records of several nodes
*_text.py   the output of tools that several collectors read
"""
