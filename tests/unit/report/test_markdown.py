from __future__ import annotations

import pytest

from rackwright.report import markdown


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# Claim", "<h4>Claim</h4>"),
        ("one\ntwo", "<p>one two</p>"),
        ("- a\n- b\n  more", "<ul><li>a</li><li>b more</li></ul>"),
        ("1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"),
        ("lead:\n- a", "<p>lead:</p>\n<ul><li>a</li></ul>"),
        ("```\nx < 1\n\n# no heading\n```", "<pre>x &lt; 1\n\n# no heading</pre>"),
        ("a **b** `c<d`", "<p>a <strong>b</strong> <code>c&lt;d</code></p>"),
        ("[text](https://example.org/x)", "<p>text (https://example.org/x)</p>"),
        ("| a | b |\n|---|---|\n| 1 | 2 |",
         ('<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>'
         "<tbody><tr><td>1</td><td>2</td></tr></tbody></table>")),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>"),
        ("", ""),
    ],
)  # fmt: skip
def test_html(text, html):
    assert markdown.html(text) == html
