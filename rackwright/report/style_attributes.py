"""The style of drawings as attributes of their elements, for programs without CSS variables: librsvg, Inkscape, CairoSVG, draw.io.

Browsers use the style sheet, which overrides attributes and also has the colours for dark screens. The other programs must not read it, because they
show a rule with a variable as black. So it is inside ``@supports``, which they skip.
"""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup

_VARIABLE = re.compile(r"(--d-[\w-]+):\s*([^;}]+)")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SELECTOR = re.compile(r"\.sheet (?P<name>[a-z]+)?(?:\.(?P<class>[\w-]+))?")
_TAG = re.compile(r"<(?P<name>[a-z]+)(?P<words>(?: [\w:-]+=\"[^\"]*\")*)(?P<end>/?>)")
_WORD = re.compile(r" ([\w:-]+)=\"([^\"]*)\"")
ONLY_STYLE = ("font-variant-numeric",)
"""Properties that are no attributes."""
SHAPES = ("text", "rect", "line", "circle", "ellipse", "path", "polygon", "polyline", "g", "tspan")


def guarded(style: str) -> Markup:
    """`style` inside ``@supports``, for programs that know CSS variables only."""
    return Markup("@supports (color: var(--d-ink)) {{\n{}}}\n").format(Markup(style))  # noqa: S704 - our own files


def with_attributes(svg: str, style: str) -> Markup:
    """`svg` with the `style` of a light screen as attributes of its elements."""
    rules = _Rules(style)
    return Markup(_TAG.sub(lambda tag: _styled(tag, rules), svg))  # noqa: S704 - attributes of our own style


def _styled(tag: re.Match[str], rules: _Rules) -> str:
    name, words = tag["name"], dict(_WORD.findall(tag["words"]))
    root = name == "svg"
    if not root and name not in SHAPES:
        return tag[0]
    styled = rules.of_sheet() if root else rules.of(name, words.get("class", ""))
    if not styled:
        return tag[0]
    text = "".join(f' {key}="{value}"' for key, value in (words | styled).items())
    return f"<{name}{text}{tag['end']}"


class _Rules:
    """The rules of a style sheet, lowest specificity first, with variables replaced by colours."""

    def __init__(self, style: str) -> None:
        light = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL).partition("@media")[0]
        variables = dict(_VARIABLE.findall(light))
        self._rules: list[tuple[int, str, str, dict[str, str]]] = []
        self._sheet: dict[str, str] = {}
        for selectors, body in _RULE.findall(light):
            values = _properties(body, variables)
            for selector in map(str.strip, selectors.split(",")):
                if selector == ".sheet":
                    self._sheet |= values
                elif part := _SELECTOR.fullmatch(selector):
                    name, class_name = part["name"] or "", part["class"] or ""
                    self._rules.append((2 * bool(class_name) + bool(name), name, class_name, values))
        self._rules.sort(key=lambda rule: rule[0])
        self.of = cache(self._of)

    def of_sheet(self) -> dict[str, str]:
        """Attributes of the whole drawing (class ``sheet``)."""
        return self._sheet

    def _of(self, name: str, classes: str) -> dict[str, str]:
        """Attributes of an element called `name` with these classes."""
        styled: dict[str, str] = {}
        for _, rule_name, class_name, values in self._rules:
            if rule_name in ("", name) and (not class_name or class_name in classes.split()):
                styled |= values
        return styled


def _properties(body: str, variables: dict[str, str]) -> dict[str, str]:
    pairs = (entry.partition(":") for entry in body.split(";") if ":" in entry)
    named = {key.strip(): value.strip() for key, _, value in pairs}
    plain = {key: re.sub(r"var\((--[\w-]+)\)", lambda name: variables[name[1]], value) for key, value in named.items()}
    return {
        key: value.replace('"', "'")
        for key, value in plain.items()
        if key not in ONLY_STYLE and value != "inherit" and not key.startswith("--")
    }
