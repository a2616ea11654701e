"""What the drawings of a design show: records, and how each is gathered from the tables of the design.

    Design -> racks, floor, topology, power, coolant -> records -> drawings/

Gathering is cut from drawing so that a drawing can be made again from ``report.json`` alone, and so that the tables are
aggregated once, with Polars, to what a reader can take in.
"""
