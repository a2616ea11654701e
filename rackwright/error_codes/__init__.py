"""Error codes of accelerators: what each one means, how severe it is, and which repair it asks for."""
