"""The data of the drawings of a design: records, and their collection from the tables of the design.

    Design -> racks, floor, topology, power, coolant -> records -> drawings/

Collection is separate from drawing so that a drawing can be made again from ``report.json`` alone, and so that the tables are aggregated once, with
Polars, to an amount that a reader can take in.
"""
