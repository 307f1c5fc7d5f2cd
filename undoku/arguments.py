"""Arguments of wrong types: one sentence about the argument behind an error of Python."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from numbers import Integral, Real
from types import SimpleNamespace, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from undoku.errors import SettingsError
from undoku.toml_reading import shown


def checked(value: Any) -> Any:
    """A public name. If it is a function, and an argument of a wrong type makes Python raise an
    error, it raises SettingsError. Nothing is checked before: what works, works."""
    if isinstance(value, type) or not callable(value):
        return value

    @wraps(value)
    def called(*given: Any, **named: Any) -> Any:
        with _explained(value, given, named):
            result = value(*given, **named)
        return later(result, given, named) if isinstance(result, Generator) else result

    def later(result: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Iterator[Any]:
        with _explained(value, given, named):
            yield from result

    return called


@contextmanager
def _explained(
    function: Callable[..., Any], given: Sequence[Any], named: Mapping[str, Any]
) -> Iterator[None]:
    try:
        yield
    except (TypeError, ValueError, AttributeError) as error:
        if message := _misfit(function, given, named):
            # The error remains its cause, as it may be a mistake of undoku or of a given function.
            raise message from error
        raise


def _misfit(
    function: Callable[..., Any], given: Sequence[Any], named: Mapping[str, Any]
) -> SettingsError | None:
    """An error about the first argument that does not have its type; None if all have, or if the
    call does not match the parameters of the function, which the error of Python says."""
    from inspect import Parameter, signature, unwrap  # takes 10 ms

    function = unwrap(function)
    parameters = signature(function).parameters
    try:
        bound = signature(function).bind(*given, **named).arguments
    except TypeError:
        return None
    texts = {name: text for name, text in function.__annotations__.items() if name in bound}
    hints = get_type_hints(SimpleNamespace(__annotations__=texts), function.__globals__)
    for name, hint in hints.items():
        several = parameters[name].kind is Parameter.VAR_POSITIONAL
        for value in bound[name] if several else [bound[name]]:
            if not _fits(value, hint):
                message = f"undoku.{function.__name__}: {name} must not be {shown(value)}"
                return SettingsError(message, remedy=f"give {texts[name]}")
    return None


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value, and what a list holds, has this type, as far as `isinstance` can say."""
    items = value  # of any type, for mypy
    kind, parts = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        return any(_fits(value, part) for part in parts)
    if kind is Any or not isinstance(kind, type):
        return True
    wanted = Integral if kind is int else Real if issubclass(kind, Real) else kind
    if not isinstance(value, wanted):
        return False
    if kind is tuple and ... not in parts:
        return len(items) == len(parts) and all(map(_fits, items, parts))
    return not (parts and isinstance(value, Sequence)) or all(_fits(one, parts[0]) for one in value)
