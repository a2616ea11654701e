"""BIOS attributes of a machine through its BMC: read, validated against the attribute registry, and staged for the next reset.

A change is refused before anything is sent where the registry does not allow it; whether the BIOS took it is read back afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rackwright.base.errors import OutsideError
from rackwright.base.tasks import nothing, together
from rackwright.redfish.client import Client
from rackwright.redfish.resources.links import link, links
from rackwright.redfish.resources.text_members import word

Value = bool | int | str
SETTINGS = "@Redfish.Settings"
APPLY_TIME = "@Redfish.SettingsApplyTime"
ON_RESET = "OnReset"
KINDS: dict[str, type] = {"Boolean": bool, "Integer": int, "String": str, "Password": str, "Enumeration": str}
"""Type of the value by that of the attribute (DSP0010, AttributeRegistry)."""


class AttributeRule(NamedTuple):
    """What the registry allows for an attribute."""

    kind: str
    read_only: bool
    values: tuple[str, ...]
    displayed: tuple[str, ...]
    """Of an enumeration: its values, and how a menu shows them. Supermicro's attributes hold the second."""
    lowest: int | None
    highest: int | None


class BiosView(NamedTuple):
    """The BIOS of a machine as its BMC shows it."""

    attributes: Mapping[str, Any]
    pending: Mapping[str, Any]
    """What is staged for the next reset."""
    rules: Mapping[str, AttributeRule]
    """By attribute; empty where the BMC has no registry."""
    settings: str
    """Where changes are written; empty where they cannot be."""
    apply_times: tuple[str, ...]
    """Times that the BMC lists; empty where it lists none, and a change then waits for the next reset."""

    def drift(self, declared: Mapping[str, Value]) -> dict[str, Value]:
        """What of `declared` is not in force."""
        return {name: value for name, value in declared.items() if self.attributes.get(name) != value}

    def staged(self, declared: Mapping[str, Value]) -> list[str]:
        """What of `declared` is not in force, and will be after the next reset."""
        return sorted(name for name, value in self.drift(declared).items() if self.pending.get(name) == value)


async def read_bios(
    client: Client, path: str, declared: Mapping[str, Value], *, with_rules: bool = True
) -> BiosView | None:
    """The BIOS at `path`; None for a BMC that shows no attributes.

    What is pending, and `with_rules` what the registry allows, are read where any of `declared` is not in force.
    """
    document = await client.get_optional(path) if path else None
    attributes = (document or {}).get("Attributes")
    if document is None or not isinstance(attributes, Mapping):
        return None
    annotation = document.get(SETTINGS)
    settings = annotation if isinstance(annotation, Mapping) else {}
    times = settings.get("SupportedApplyTimes")
    view = BiosView(
        attributes, {}, {}, link(settings, "SettingsObject"), tuple(times) if isinstance(times, list) else ()
    )
    if not view.drift(declared):
        return view
    staged, rules = await together(
        client.get_optional(view.settings) if view.settings else nothing(),
        _rules(client, word(document, "AttributeRegistry")) if with_rules else nothing(),
    )
    pending = (staged or {}).get("Attributes")
    return view._replace(pending=pending if isinstance(pending, Mapping) else {}, rules=rules or {})


def require_allowed(name: str, view: BiosView | None, declared: Mapping[str, Value]) -> BiosView:
    """The BIOS; OutsideError with everything of `declared` that that of the machine `name` cannot have, and nothing was changed then."""
    if view is None:
        raise OutsideError(
            f"the BMC of {name} shows no BIOS attributes: set them in its setup, and remove them from the site"
        )
    wrong = [reason for attribute in sorted(declared) for reason in _wrong(attribute, declared[attribute], view)]
    if view.drift(declared) and not view.settings:
        wrong.append("its BMC takes no changes of attributes")
    if wrong:
        raise OutsideError(
            f"BIOS attributes of {name}: {'; '.join(wrong)}; nothing was changed: correct them in the site, then run again"
        )
    return view


async def stage(client: Client, view: BiosView, changes: Mapping[str, Value]) -> None:
    """Have the BMC keep `changes` for the next reset; nothing is reset."""
    body: dict[str, Any] = {"Attributes": dict(changes)}
    if ON_RESET in view.apply_times:
        body[APPLY_TIME] = {"@odata.type": "#Settings.v1_3_5.PreferredApplyTime", "ApplyTime": ON_RESET}
    await client.patch(view.settings, body)


def _wrong(name: str, value: Value, view: BiosView) -> Iterator[str]:
    rule = view.rules.get(name)
    if name not in view.attributes:
        yield f"there is no attribute {name}"
    elif view.attributes[name] == value:
        return
    elif rule is None:
        if view.rules:
            yield f"{name} is not in the attribute registry"
    elif rule.read_only:
        yield f"{name} is read-only, and {view.attributes[name]!r}"
    elif type(value) is not KINDS.get(rule.kind, type(value)):
        yield f"{name} is {value!r}, expected {rule.kind}"
    elif rule.kind == "Enumeration" and value not in (allowed := _allowed(rule, view.attributes[name])):
        yield f"{name} is {value!r}, expected one of {', '.join(allowed)}"
    elif isinstance(value, int) and not isinstance(value, bool):
        lowest, highest = rule.lowest, rule.highest
        if lowest is not None and highest is not None and lowest <= highest and not lowest <= value <= highest:
            yield f"{name} is {value}, expected {lowest} to {highest}"


def _allowed(rule: AttributeRule, current: Any) -> tuple[str, ...]:
    """The names of values that this BMC goes by: those among which the current one is."""
    return rule.displayed if current in rule.displayed and current not in rule.values else rule.values


async def _rules(client: Client, name: str) -> dict[str, AttributeRule]:
    """By attribute what the registry called `name` allows, else the only one of BIOS attributes; nothing where there is none."""
    collection = link(await client.root(), "Registries")
    listing = await client.get_optional(collection) if collection else None
    paths = [path for path in links(listing or {}, "Members") if "biosattributeregistry" in path.lower()]
    named = [path for path in paths if name and path.rstrip("/").rpartition("/")[2] == name]
    file = await client.get_optional((named or paths)[0]) if paths else None
    places = (file or {}).get("Location")
    entries = [entry for entry in places if isinstance(entry, Mapping)] if isinstance(places, list) else []
    english = [
        word(entry, "Uri") for entry in entries if word(entry, "Language").startswith("en") and word(entry, "Uri")
    ]
    registry = await client.get_optional(english[0]) if english else None
    listed = ((registry or {}).get("RegistryEntries") or {}).get("Attributes")
    attributes = [entry for entry in listed if isinstance(entry, Mapping)] if isinstance(listed, list) else []
    return {word(entry, "AttributeName"): _rule(entry) for entry in attributes}


def _rule(entry: Mapping[str, Any]) -> AttributeRule:
    listed = entry.get("Value")
    values = [value for value in listed if isinstance(value, Mapping)] if isinstance(listed, list) else []
    bounds = [entry.get(name) for name in ("LowerBound", "UpperBound")]
    lowest, highest = (bound if isinstance(bound, int) else None for bound in bounds)
    return AttributeRule(
        kind=word(entry, "Type"),
        read_only=entry.get("ReadOnly") is True or entry.get("Immutable") is True,
        values=tuple(word(value, "ValueName") for value in values),
        displayed=tuple(word(value, "ValueDisplayName") for value in values),
        lowest=lowest,
        highest=highest,
    )
