"""One healthy example of each record, by domain: `SEEN`, record type -> builder; `tests.build` merges them."""
