"""How fast the declared hardware of the twin is, healthy or not, and how tools would print that.

model.py    parts -> shares of what a healthy part reaches
burn.py  copies.py  collectives.py  files.py  smoke.py           records of one node
vendors.py  the same as tools of other vendors tell them
members.py  together.py  rails.py  groups.py                     records of several nodes
*_text.py   the printed form of tools that several collectors read
"""
