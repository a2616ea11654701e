"""Rules about racks, floor and air direction."""
