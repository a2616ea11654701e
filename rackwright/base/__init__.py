"""Foundations that know nothing of clusters: content lookup, workspace folders, YAML tables, file locks, errors and exit codes."""
