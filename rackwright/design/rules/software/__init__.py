"""Rules about the software bill of every pool, judged by `rackwright.compat` for the day its tables were read."""
