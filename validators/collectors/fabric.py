"""Every link of an InfiniBand subnet, as `ibnetdiscover` prints it on a host with a port in that subnet.

A switch block begins with ``switchguid=``, an adapter block with ``caguid=``; each port line is one end of one link.
Adapters are known by port GUID (in parentheses), switches by node GUID. A large subnet has a million lines, so they are read as a column.
"""

import io
from functools import partial

import polars as pl

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.fabric import FabricMap, NodeFabric
from rackwright.model.evidence.link_table import SCHEMA, LinkTable

HEADER = r'^(?<kind>Switch|Ca|Rt)\s+[0-9]+ "[SHR]-(?<guid>[0-9a-f]{16})"\s+# "(?<name>.*)"'
PORT = (
    r"^\[(?<port>[0-9]{1,9})\](?:\[ext [^\]]*\])?(?:\((?<own>[0-9a-f]{1,16})\))?\s+"
    r'"(?<far_kind>[SHR])-(?<far>[0-9a-f]{16})"\[(?<remote_port>[0-9]{1,9})\](?:\[ext [^\]]*\])?'
    r'(?:\((?<far_own>[0-9a-f]{1,16})\))?\s+'
    r'# (?:lid [0-9]+ lmc [0-9]+ )?"(?<remote_name>.*)" lid [0-9]+ (?<speed>\S+)'
)  # fmt: skip
USUAL = ((r"\s", r"[ \t]"), (".*", '[^"]*'), (r"\S", "[!#-~]"))
"""What stands in a line whose names hold no quotation mark. A pattern made so leaves no choice on its way, and is three times as quick."""
TAIL = r'(?:[ \t][^"]*)?$'
IGNORED = "^(?:$|#|vendid=|devid=|sysimgguid=|switchguid=|caguid=|rtguid=)"
IS_PORT = pl.col("line").str.starts_with("[")
KINDS = {"S": "Switch", "H": "Ca", "R": "Rt"}
DIGITS = 16
"""Of a GUID that is written whole."""


def parse(output: str) -> FabricMap:
    """The links of all blocks, in the order of the output, taken apart when somebody looks at them: who joins adapters never looks at switches."""
    lines = _lines(output)
    ports, nodes = lines.filter(IS_PORT), _nodes(lines)
    placed = ports.join_asof(nodes, on="number", strategy="backward")
    sound = ports["line"].str.contains(_usual(PORT)).all() and not any(
        table["kind"].has_nulls() for table in (nodes, placed)
    )
    return FabricMap(links=LinkTable.later(partial(_ends, placed)) if sound and ports.height else links(output))


def links(output: str) -> LinkTable:
    """The same links, taken apart at once. An empty subnet has links of its own port at least."""
    lines = _lines(output)
    ports, nodes = _matched(lines.filter(IS_PORT), PORT), _nodes(lines)
    joined = ports.join_asof(nodes, on="number", strategy="backward")  # a port is of the node that was named last
    strange = [
        malformed["number"].min()
        for malformed in (ports.filter(pl.col("port").is_null()), nodes.filter(pl.col("kind").is_null()))
        if malformed.height
    ]
    orphans = joined.filter(pl.col("kind").is_null())["number"]
    if strange or orphans.len():
        number = min([*strange, *orphans.head(1)])
        raise ParseError(number + 1, output.split("\n")[number], "a switch, adapter or port line of ibnetdiscover")
    if not joined.height:
        raise ParseError(1, output, "at least one link")
    return LinkTable(joined.select(*_fields()))


def _ends(placed: pl.DataFrame, kind: str | None) -> pl.DataFrame:
    """The columns of `LinkTable` of the ports in `placed`, which stand beside their nodes; with `kind` only those of such nodes."""
    chosen = placed if kind is None else placed.filter(pl.col("kind") == kind)
    return pl.concat([chosen.drop("line"), _groups(chosen, _usual(PORT)).drop("number")], how="horizontal").select(
        *_fields()
    )


def _lines(output: str) -> pl.DataFrame:
    lines = pl.read_lines(io.BytesIO(output.encode()), name="line", row_index_name="number")
    return lines.with_columns(pl.col("line").str.strip_chars())


def _nodes(lines: pl.DataFrame) -> pl.DataFrame:
    return _matched(lines.filter(~IS_PORT).filter(~pl.col("line").str.contains(IGNORED)), HEADER)


def _matched(lines: pl.DataFrame, pattern: str) -> pl.DataFrame:
    """The number of every line and the groups of `pattern`, which are null where it does not match."""
    usual = _groups(lines, _usual(pattern))
    odd = usual[usual.columns[1]].is_null()
    if not odd.any():
        return usual
    return pl.concat([usual.filter(~odd), _groups(lines.filter(odd), pattern)]).sort("number")


def _usual(pattern: str) -> str:
    """A pattern that matches some of the lines that `pattern` matches, with the same groups: those with no quotation mark behind its last one."""
    for any_text, plain in USUAL:
        pattern = pattern.replace(any_text, plain)
    return pattern + TAIL


def _groups(lines: pl.DataFrame, pattern: str) -> pl.DataFrame:
    return lines.select("number", groups=pl.col("line").str.extract_groups(pattern)).unnest("groups")


def _fields() -> list[pl.Expr]:
    """The columns of `LinkTable`, in their order."""
    columns = {
        "guid": _guid(pl.coalesce("own", "guid")),
        "port": pl.col("port").cast(pl.Int64),
        "remote_guid": _guid(pl.coalesce("far_own", "far")),
        "remote_kind": pl.col("far_kind").replace_strict(KINDS, return_dtype=pl.String),
        "remote_port": pl.col("remote_port").cast(pl.Int64),
    }
    return [columns.get(name, pl.col(name)).alias(name) for name in SCHEMA]


def _guid(digits: pl.Expr) -> pl.Expr:
    return pl.concat_str(pl.lit("0x"), digits.str.zfill(DIGITS))


COLLECTOR = Collector(
    produces=NodeFabric,
    parse=parse,
    as_root=True,
    seconds=120,
    roles=("accelerator", "ufm"),
    command=("ibnetdiscover", "-C", "{adapter}"),
    scope="subnet",
)
