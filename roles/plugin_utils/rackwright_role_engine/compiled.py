"""Compiled templates, kept for the whole play: compiling one takes 1 ms, and every host has the same ones in every part.

Ansible compiles a template each time it fills it in. All workers share what is compiled before Ansible forks them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from types import CodeType
from typing import Any

from ansible.parsing.dataloader import DataLoader  # type: ignore[import-untyped]
from ansible.template import Templar  # type: ignore[import-untyped]
from jinja2 import TemplateError
from jinja2.environment import TemplateExpression

_templates: dict[str, CodeType] = {}
_expressions: dict[str, CodeType] = {}


def share_compiled(templar: Any) -> Any:
    """`templar`, which from now on reuses templates that were compiled before."""
    with suppress(AttributeError):  # `_engine` is private: without it, templates are compiled each time
        environment = templar._engine.environment
        environment.__class__ = _environment_class(type(environment))
    return templar


def check_values(templar: Any, text: str, finalizer: Callable[[Any], Any]) -> Any:
    """`templar`, which fills in `text` with the ``finalize`` that `finalizer` makes of Jinja's; nested variables are filled in as before.

    AttributeError with a release of Ansible that has no ``_engine``: a file is not filled in without checking its values.
    """
    share_compiled(templar)
    templar._engine.environment.checked = (text, finalizer)
    return templar


def compile_templates(values: Iterable[Any]) -> None:
    """Compile all templates and conditions (``when``) in the contents of YAML files. Errors are ignored: filling in the template reports them."""
    templar = share_compiled(Templar(loader=DataLoader()))
    with suppress(AttributeError):
        environment = templar._engine.environment
        for text, is_condition in _texts(list(values)):
            with suppress(TemplateError):
                environment.compile_expression(text) if is_condition else environment.compile(text)


def _texts(value: Any, *, is_condition: bool = False) -> Iterator[tuple[str, bool]]:
    """Every string that is a template or a condition. One with a backslash is left out: Ansible escapes it on its own terms."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, is_condition=key == "when")
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, is_condition=is_condition)
    elif isinstance(value, str) and "\\" not in value and (is_condition or "{{" in value or "{%" in value):
        yield value, is_condition


@cache
def _environment_class(base: type[Any]) -> type[Any]:
    """A subclass of Ansible's Jinja environment that compiles every text once."""
    if issubclass(base, _Shared):
        return base
    return type("SharedEnvironment", (_Shared, base), {})


class _Shared:
    """The methods in which Jinja compiles."""

    _latest: CodeType
    checked: tuple[str, Callable[[Any], Any]] | None = None
    """The text of a file, and what makes its ``finalize``."""

    def from_string(self: Any, source: str, *rest: Any, **options: Any) -> Any:
        """As Jinja's; the text of a file has an environment of its own."""
        if self.checked is None or source != self.checked[0]:
            return super().from_string(source, *rest, **options)
        overlay = self.overlay()
        overlay.checked, overlay.finalize = None, self.checked[1](overlay.finalize)
        return overlay.from_string(source, *rest, **options)

    def compile(
        self, source: Any, name: Any = None, filename: Any = None, raw: Any = False, defer_init: Any = False
    ) -> Any:
        """As Jinja's; only a text without a name, which is no included file, is shared."""
        if isinstance(source, str) and name is None and not raw:
            if source not in _templates:
                _templates[str(source)] = super().compile(source, name, filename, raw, defer_init)  # type: ignore[misc]
            return _templates[source]
        self._latest = super().compile(source, name, filename, raw, defer_init)  # type: ignore[misc]
        return self._latest

    def compile_expression(self: Any, source: str, undefined_to_none: bool = True) -> TemplateExpression:
        """As Jinja's, which calls `compile` with the parsed expression."""
        if source not in _expressions:
            expression: TemplateExpression = super().compile_expression(source, undefined_to_none)
            _expressions[str(source)] = self._latest
            return expression
        template = self.template_class.from_code(self, _expressions[source], self.make_globals(None))
        return TemplateExpression(template, undefined_to_none)
