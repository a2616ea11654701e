"""What a PATCH does to an object, by its content type.

Shape: RFC 7386 for merge patches; strategic merge lists with a merge key: patchMergeKey tags of k8s.io/api core/v1 (1.34).
"""

from __future__ import annotations

from typing import Any

MERGE, STRATEGIC = "application/merge-patch+json", "application/strategic-merge-patch+json"
KEYS = {"conditions": "type", "ownerReferences": "uid", "containers": "name", "volumes": "name"}
"""Lists that a strategic merge joins by the value of a field; any other list is replaced, that of taints too."""


def patched(before: Any, patch: Any, kind: str) -> Any:
    """`before` with `patch`. ValueError for a content type that is not served."""
    if kind not in (MERGE, STRATEGIC):
        raise ValueError(
            f"the body of the request was in an unknown format - accepted media types include: {MERGE}, {STRATEGIC}"
        )
    return _merged_patch(before, patch, joined=kind == STRATEGIC)


def _merged_patch(before: Any, patch: Any, *, joined: bool) -> Any:
    if not isinstance(patch, dict):
        return patch
    merged = dict(before) if isinstance(before, dict) else {}
    for name, value in patch.items():
        if name.startswith("$"):
            continue  # directives of order: what they order is replaced whole or joined by key here
        if value is None:
            merged.pop(name, None)
        elif joined and name in KEYS and isinstance(value, list):
            merged[name] = _joined_lists(merged.get(name) or [], value, KEYS[name])
        else:
            merged[name] = _merged_patch(merged.get(name), value, joined=joined)
    return merged


def _joined_lists(before: list[Any], patch: list[Any], key: str) -> list[Any]:
    by_key = {entry[key]: entry for entry in before}
    for entry in patch:
        if entry.get("$patch") == "delete":
            by_key.pop(entry[key], None)
        else:
            by_key[entry[key]] = _merged_patch(by_key.get(entry[key]), entry, joined=True)
    return list(by_key.values())
