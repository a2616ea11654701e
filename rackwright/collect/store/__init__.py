"""The evidence store: raw outputs by hash, runs as hash chains, and the cache of parsed records."""
