from rackwright.onboard import diffs


def test_text_differences_are_unified():
    result = diffs.lines(
        {"diff": {"before": "a\nb\n", "after": "a\nc\n", "before_header": "/etc/x", "after_header": "/etc/x"}}
    )
    assert result == ["--- /etc/x", "+++ /etc/x", "@@ -1,2 +1,2 @@", " a", "-b", "+c"]


def test_states_differ_by_key():
    result = diffs.lines({"diff": {"before": {"state": "absent"}, "after": {"state": "file"}}})
    assert result[-2:] == ["-state: absent", "+state: file"]


def test_lists_loops_and_ready_texts():
    result = {"results": [{"diff": [{"prepared": "+one"}]}, {"diff": {"before": "", "after": "two\n"}}, {}]}
    assert [line for line in diffs.lines(result) if line.startswith("+") and not line.startswith("+++")] == [
        "+one",
        "+two",
    ]


def test_nothing_to_show():
    assert diffs.lines({}) == []
    assert diffs.lines({"diff": {"before": "same", "after": "same"}}) == []
