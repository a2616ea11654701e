"""Foundations without knowledge of clusters: content lookup, workspace folders, YAML tables, file locks, errors and
exit codes.
"""
