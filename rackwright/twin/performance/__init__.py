"""How fast the declared hardware of the twin is, healthy or not, and how tools would print that.

model.py   parts -> shares of what a healthy part reaches     node.py, group.py   records of load tests
*_text.py  the printed form of tools that several collectors read
"""
