"""Prints a subnet as `ibnetdiscover` does: one block per run of links of one switch, one per adapter port."""

from itertools import groupby

from rackwright.model.evidence.fabric import FabricLink, FabricMap

LETTER = {"Switch": "S", "Ca": "H", "Rt": "R"}


def render(seen: FabricMap) -> bytes:
    """The listing whose parse is `seen`."""
    blocks = [
        _block(list(links)) for _, links in groupby(seen.links, key=lambda link: (link.kind, link.guid, link.name))
    ]
    return ("#\n# Topology file: generated on Sat Nov 21 08:02:07 2026\n#\n\n" + "\n".join(blocks)).encode()


def _block(links: list[FabricLink]) -> str:
    first = links[0]
    digits = first.guid.removeprefix("0x")
    field = {"Switch": "switchguid", "Ca": "caguid", "Rt": "rtguid"}[first.kind]
    tail = " base port 0 lid 4 lmc 0" if first.kind == "Switch" else ""
    head = f'{first.kind}\t64 "{LETTER[first.kind]}-{digits}"\t\t# "{first.name}"{tail}\n'
    return (
        f"vendid=0x2c9\ndevid=0x1021\nsysimgguid={first.guid}\n{field}={first.guid}\n"
        + head
        + "".join(map(_port, links))
    )


def _port(link: FabricLink) -> str:
    own = "" if link.kind == "Switch" else f"({int(link.guid, 16):x})"
    digits = link.remote_guid.removeprefix("0x")
    far = f'"{LETTER[link.remote_kind]}-{digits}"[{link.remote_port}]'
    if link.remote_kind != "Switch":
        far += f"({int(link.remote_guid, 16):x})"
    lid = "" if link.kind == "Switch" else "lid 3 lmc 0 "
    return f'[{link.port}]{own}\t{far}\t\t# {lid}"{link.remote_name}" lid 2 {link.speed}\n'
