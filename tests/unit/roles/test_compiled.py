"""Templates of roles are compiled once for all hosts, and filled in for each."""

from __future__ import annotations

import jinja2
import pytest
from ansible.errors import AnsibleError
from ansible.parsing.dataloader import DataLoader
from ansible.template import Templar, trust_as_template

from rackwright.onboard.role_engine import load_engine

compiled = __import__(f"{load_engine().__name__}.compiled", fromlist=["compiled"])
ROLE = {"files": [{"path": "/etc/{{ name }}", "when": ["number | int > 2", "name != 'b'"]}], "plain": "no template"}
PATH, CONDITION = trust_as_template("/etc/{{ name }}"), trust_as_template("number | int > 2")


def shared(**variables: object) -> Templar:
    return compiled.share_compiled(Templar(loader=DataLoader(), variables=variables))


@pytest.fixture(autouse=True)
def counted(monkeypatch):
    """The texts that Jinja compiles."""
    texts, generate = [], jinja2.Environment._generate

    def count(self, source, *rest, **options):
        texts.append(source)
        return generate(self, source, *rest, **options)

    monkeypatch.setattr(jinja2.Environment, "_generate", count)
    monkeypatch.setattr(compiled, "_templates", {})
    monkeypatch.setattr(compiled, "_expressions", {})
    return texts


def test_what_was_compiled_before_is_not_compiled_for_a_host(counted):
    compiled.compile_templates([ROLE])
    assert len(counted) == 3
    assert [shared(name=name).template(PATH) for name in ("a", "b")] == ["/etc/a", "/etc/b"]
    assert [shared(number=number).evaluate_conditional(CONDITION) for number in ("2", "3")] == [False, True]
    assert len(counted) == 3


def test_a_template_that_was_not_known_is_compiled_once(counted):
    assert [shared(name=name).template(PATH) for name in ("a", "b")] == ["/etc/a", "/etc/b"]
    assert [shared(number=number).evaluate_conditional(CONDITION) for number in (2, 3)] == [False, True]
    assert len(counted) == 2


def test_a_broken_template_fails_where_it_is_filled_in(counted):
    compiled.compile_templates([{"path": "{{ name", "when": "name ="}])
    with pytest.raises(AnsibleError, match="unexpected end of template"):
        shared(name="a").template(trust_as_template("{{ name"))
    with pytest.raises(AnsibleError, match="Syntax error"):
        shared(name="a").evaluate_conditional(trust_as_template("name ="))


def test_a_template_with_a_backslash_is_left_to_ansible(counted):
    text = "{{ name | regex_replace('\\\\.', '-') }}"
    compiled.compile_templates([{"path": text}])
    assert not counted
    assert shared(name="a.b").template(trust_as_template(text)) == Templar(
        loader=DataLoader(), variables={"name": "a.b"}
    ).template(trust_as_template(text))


def test_other_templates_of_ansible_are_not_shared(counted):
    compiled.compile_templates([ROLE])
    assert Templar(loader=DataLoader(), variables={"name": "a"}).template(PATH) == "/etc/a"
    assert len(counted) == 4


def names(texts):
    return {str(node.name) for text in texts for node in text.find_all(jinja2.nodes.Name)}


def test_only_what_the_hosts_of_a_play_need_is_read(tmp_path, counted):
    for role in ("needed", "other"):
        for name in ("state", "vars/main", "vars/some-vendor", "vars/debian-12", "vars/rhel-9"):
            path = tmp_path / role / f"{name}.yml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"value: '{{{{ {role}_{path.stem.replace('-', '_')} }}}}'\n")
    expected = {"needed_state", "needed_main", "needed_some_vendor", "needed_debian_12"}
    for _ in range(2):
        load_engine().read_role_files(tmp_path, ["needed"], "debian-12")
        assert names(counted) == expected
    assert len(counted) == len(expected)
    load_engine().read_role_files(tmp_path)
    assert names(counted) == {
        f"{role}_{name}"
        for role in ("needed", "other")
        for name in ("state", "main", "some_vendor", "debian_12", "rhel_9")
    }
