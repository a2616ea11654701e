"""SVG elements as safe text: the one place where drawings are turned into markup.

Coordinates are rounded to a
tenth of a unit, which keeps the file small and the output the same on every machine.
"""

from __future__ import annotations

from markupsafe import Markup, escape

Value = str | int | float


def element(name: str, *children: Markup, **attributes: Value) -> Markup:
    """One element. A trailing underscore of an attribute is dropped (``class_``), inner ones become hyphens (``text_anchor``)."""
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value))}"' for key, value in attributes.items()
    )
    content = "".join(map(escape, children))
    markup = f"<{name}{words}>{content}</{name}>" if children else f"<{name}{words}/>"
    return Markup(markup)  # noqa: S704 - values and children are escaped; `Markup.format` takes five times as long


def text(content: str, **attributes: Value) -> Markup:
    """A text element."""
    return element("text", escape(content), **attributes)


def title(content: str) -> Markup:
    """The hover text and accessible name of the element it stands in."""
    return element("title", escape(content))


def drawing(
    name: str, says: str, width: float, height: float, *children: Markup, ident: str, class_: str = ""
) -> Markup:
    """A whole drawing; `ident` is unique on the page and ties title and description to the image."""
    words = Markup(' class="{}"').format(class_) if class_ else Markup("")
    head = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg"{5} role="img" aria-labelledby="{0}-title {0}-desc" viewBox="0 0 {1} {2}" '
        'width="{1}" height="{2}"><title id="{0}-title">{3}</title><desc id="{0}-desc">{4}</desc>'
    ).format(ident, number(width), number(height), name, says, words)
    return head + Markup("").join(children) + Markup("</svg>")


def number(value: Value) -> str:
    """A number without needless digits; text as it is."""
    if isinstance(value, float):
        return f"{round(value, 1):g}" if abs(value) < 1e5 else f"{value:.0f}"
    return str(value)


def shorten(words: str, width: float, size: float) -> str:
    """`words` shortened with an ellipsis to fit `width` at font size `size`; 0.62 em is a wide sans-serif letter."""
    room = int(width / (size * 0.62))
    return words if len(words) <= room else words[: max(1, room - 1)] + "…"
