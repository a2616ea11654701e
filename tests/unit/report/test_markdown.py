from __future__ import annotations

import pytest

from rackwright.report import markdown


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# Claim", "<h4>Claim</h4>"),
        ("#### Claim", "<h6>Claim</h6>"),
        ("one\ntwo", "<p>one\ntwo</p>"),
        ("- a\n- b\n  more", "<ul>\n<li>a</li>\n<li>b\nmore</li>\n</ul>"),
        ("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>"),
        ("lead:\n- a", "<p>lead:</p>\n<ul>\n<li>a</li>\n</ul>"),
        ("```\nx < 1\n\n# no heading\n```", "<pre><code>x &lt; 1\n\n# no heading\n</code></pre>"),
        ("a **b** `c<d`", "<p>a <strong>b</strong> <code>c&lt;d</code></p>"),
        ("[text](https://example.org/x)", "<p>text (https://example.org/x)</p>"),
        ("![text](https://example.org/x.png)", "<p>!text (https://example.org/x.png)</p>"),
        ("| a | b |\n|---|---|\n| 1 | 2 |",
         ('<table>\n<thead>\n<tr>\n<th scope="col">a</th>\n<th scope="col">b</th>\n</tr>\n</thead>\n'
         "<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>")),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("", ""),
    ],
)  # fmt: skip
def test_html(text, html):
    assert markdown.html(text).rstrip() == html
