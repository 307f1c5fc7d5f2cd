"""Rewrites statements of loops in forms that Cython compiles without the GIL."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence


class Simplifier:
    """Rewrites the statements of one loop. `fields` gives the names of the fields of an expression
    if it is a group; `is_constant` says whether an expression is a constant. `indices` are the
    names of the indices that were added."""

    def __init__(
        self,
        fields: Callable[[ast.expr], Sequence[str] | None],
        is_constant: Callable[[ast.expr], bool],
    ) -> None:
        self._fields, self._is_constant = fields, is_constant
        self.indices: list[str] = []

    def rewritten(self, body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        """The statements: loops over ranges with constant steps, one target in each assignment."""
        for node in body:
            for part in ("body", "orelse"):
                if getattr(node, part, None):
                    setattr(node, part, list(self.rewritten(getattr(node, part))))
            if isinstance(node, ast.For):
                yield self._loop(node)
            elif isinstance(node, ast.Assign):
                yield from self._assignments(node)
            else:
                yield node

    def _loop(self, node: ast.For) -> ast.For:
        steps = node.iter
        if isinstance(steps, ast.Call) and (
            len(steps.args) < 3 or self._is_constant(steps.args[2])
        ):
            return node  # a range
        name = f"index_{len(self.indices) + 1}"
        self.indices.append(name)
        index: ast.expr = ast.Name(name, ast.Load())
        if isinstance(steps, ast.Call):  # a range with a step > 0
            start, stop, step = map(ast.unparse, steps.args)
            count = expression(f"({stop} - ({start}) + ({step}) - 1) // ({step})")
            value = expression(f"{start} + {name} * ({step})")
        elif isinstance(steps, ast.Tuple):
            count, value = ast.Constant(len(steps.elts)), chosen(index, steps.elts)
        else:
            count, value = call("len", copied(steps)), ast.Subscript(steps, index, ast.Load())
        first = ast.Assign([node.target], value, lineno=node.lineno)
        counted = ast.Name(name, ast.Store())
        body = [first, *node.body]
        return ast.For(counted, call("range", count), body, [], lineno=node.lineno)

    def _assignments(self, node: ast.Assign) -> Iterator[ast.Assign]:
        targets, value = node.targets, node.value
        if len(targets) > 1:  # a = b = value
            yield ast.Assign(targets[-1:], value, lineno=node.lineno)
            for target in reversed(targets[:-1]):
                yield ast.Assign([target], copied(targets[-1]), lineno=node.lineno)
            return
        target = targets[0]
        values = self._parts(target, value) if isinstance(target, ast.Tuple) else None
        if values is None:
            yield node
            return
        assert isinstance(target, ast.Tuple)
        for one, part in zip(target.elts, values, strict=True):
            yield ast.Assign([one], part, lineno=node.lineno)

    def _parts(self, target: ast.Tuple, value: ast.expr) -> Sequence[ast.expr] | None:
        """The values of several targets, if they can be assigned one after the other."""
        if is_shape(value):
            return [element_at(value, at) for at in range(len(target.elts))]
        if isinstance(value, ast.Tuple):
            return value.elts if _independent(target, value) else None
        names = self._fields(value) if isinstance(value, ast.Name) else None
        return [ast.Attribute(value, name, ast.Load()) for name in names] if names else None


def _independent(targets: ast.Tuple, values: ast.Tuple) -> bool:
    """Whether no value depends on an earlier target."""
    if not all(isinstance(one, ast.Name) for one in targets.elts):
        return not any(isinstance(one, ast.Subscript) for one in ast.walk(values))
    stored = {one.id for one in ast.walk(targets) if isinstance(one, ast.Name)}
    return not stored & {one.id for one in ast.walk(values) if isinstance(one, ast.Name)}


def is_text(node: ast.AST) -> bool:
    """Whether a statement is a text, such as a docstring."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def is_shape(node: ast.AST) -> bool:
    """Whether an expression is the shape of an array."""
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def chosen(index: ast.expr, choices: Sequence[ast.expr]) -> ast.expr:
    """The choice with this number."""
    *others, value = choices
    for number, one in reversed(list(enumerate(others))):
        test = ast.Compare(index, [ast.Eq()], [ast.Constant(number)])
        value = ast.IfExp(test, one, value)
    return value


def element_at(value: ast.expr, index: int) -> ast.expr:
    """The element of a row or a shape with this number."""
    return ast.Subscript(copied(value), ast.Constant(index), ast.Load())


def call(name: str, *arguments: ast.expr) -> ast.Call:
    """A call of a function."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def copied(node: ast.expr) -> ast.expr:
    """A copy of an expression, or of a target as an expression."""
    return expression(ast.unparse(node))


def expression(text: str) -> ast.expr:
    """A parsed expression."""
    return ast.parse(text, mode="eval").body
