"""Check texts from Markdown to HTML that is safe to embed, by markdown-it-py: raw HTML is escaped, and images are not rendered.

A link becomes its text and its address: the report refers to nothing outside itself.
"""

from __future__ import annotations

from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

PARSER = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
TOP_HEADING = 4
"""Check texts are embedded below an h3, so the outline of the page has no gaps."""
LOWEST_HEADING = 6


@lru_cache(maxsize=1024)
def html(text: str) -> Markup:
    """`text` as HTML."""
    tokens = PARSER.parse(text)
    for token in tokens:
        if token.tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            token.tag = f"h{min(LOWEST_HEADING, TOP_HEADING - 1 + int(token.tag[1]))}"
        elif token.type == "th_open":
            token.attrs = {"scope": "col"}
        elif token.children:
            token.children = _without_links(token.children)
    return Markup(PARSER.renderer.render(tokens, PARSER.options, {}))  # noqa: S704 - the library escapes what it renders


def _without_links(tokens: list[Token]) -> list[Token]:
    """The tokens of a paragraph, every link replaced by its text and its address in parentheses."""
    addresses: list[str] = []
    result = []
    for token in tokens:
        if token.type == "link_open":
            addresses.append(str(token.attrs["href"]))
        elif token.type == "link_close":
            result.append(Token("text", "", 0, content=f" ({addresses.pop()})"))
        else:
            result.append(token)
    return result
