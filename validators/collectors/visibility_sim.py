"""Prints who saw whose file as the visibility script does."""

from rackwright.model.evidence.storage import Visibility


def render(seen: Visibility) -> bytes:
    """The lines whose parse is `seen`."""
    lines = [
        f"# sight path={seen.path} writer={one.writer} reader={one.reader} "
        f"seconds={'none' if one.seconds is None else repr(one.seconds)} matches={int(one.matches)}"
        for one in seen.sights
    ]
    return "".join(f"{line}\n" for line in lines).encode()
