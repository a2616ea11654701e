"""Pulumi resource classes that the stacks are made of, one file each."""
