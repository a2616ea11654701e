from __future__ import annotations

import pytest

GOOD = {"name": "nico", "url": "https://nico.example/hook", "secret_env": "NICO_KEY"}


@pytest.fixture
def problems(problems_of, example_data):
    """Codes and paths of what is wrong with the example when it declares webhooks."""

    def find(*webhooks):
        example_data["acceptance"]["webhooks"] = list(webhooks)
        return problems_of(example_data)

    return find


def test_https_and_a_proxy_on_this_machine_are_taken(problems):
    local = [
        {**GOOD, "name": f"w{n}", "url": f"http://{host}:9/x"}
        for n, host in enumerate(("127.0.0.1", "[::1]", "localhost"))
    ]
    assert problems(GOOD, *local) == set()


@pytest.mark.parametrize("url", ["http://nico.example/hook", "http://10.0.0.1/", "http://[fd00::1]/"])
def test_a_network_without_tls_is_refused(problems, url):
    assert problems({**GOOD, "url": url}) == {("spec.without_tls", "acceptance.webhooks[0].url")}


def test_the_server_that_stacks_ask_has_tls(problems_of, example_data):
    for url, refused in (
        ("https://gate.example:8443", False),
        ("http://127.0.0.1:8080", False),
        ("http://gate.example", True),
    ):
        example_data["acceptance"]["server"] = url
        assert problems_of(example_data) == ({("spec.without_tls", "acceptance.server")} if refused else set())


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"url": "https://u:p@nico.example/"}, "url"),
        ({"secret_env": "a b"}, "secret_env"),
        ({"kinds": ["moon"]}, "kinds[0]"),
    ],
)
def test_malformed_fields_are_refused(problems, change, path):
    assert {place for _, place in problems({**GOOD, **change})} == {f"acceptance.webhooks[0].{path}"}


def test_two_of_a_name_are_refused(problems):
    assert [code for code, _ in problems(GOOD, GOOD)] == ["spec.duplicate_name"]
