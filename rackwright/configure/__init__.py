"""Brings switches to the configuration that follows from the design: compared first, applied with a timer on the switch that takes it back, then confirmed."""
