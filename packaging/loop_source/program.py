"""The definitions of the program, as far as loops use them, and the values of constants."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loop_source.types import (
    BOOL,
    CASTS,
    DOUBLE,
    LONG,
    NOTHING,
    OBJECT,
    Type,
    array_type,
)

_DECORATORS = {"loop", "inner", "narrow"}

_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.USub: operator.neg,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {"range": range, "int": int, "min": min, "max": max}


class LoopError(Exception):
    """A loop contains what can't be translated; the message has its place."""


@dataclass
class Module:
    """A parsed module: its top-level definitions by name; imported names by their origin."""

    path: Path
    definitions: dict[str, ast.AST] = field(default_factory=dict)
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)


class Program:
    """The modules of the program below a folder, parsed when they are first needed; `used` names
    those with a definition that was looked for."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._modules: dict[str, Module] = {}
        self.used: set[str] = set()

    def module(self, name: str) -> Module:
        if name not in self._modules:
            self._modules[name] = _parsed(self._root.joinpath(*name.split(".")).with_suffix(".py"))
        return self._modules[name]

    def find(self, module: str, name: str) -> tuple[str, str, ast.AST | None]:
        """Where `name`, as used in `module`, is defined: (module, name, node); the node is None if
        it is not a definition of the program."""
        here = self.module(module)
        if name in here.definitions:
            if module != "undoku.h264.loops":
                self.used.add(module)
            return module, name, here.definitions[name]
        origin, original = here.imported.get(name, ("", name))
        if origin.startswith("undoku."):
            return self.find(origin, original)
        return origin, original, None

    def type_of(self, module: str, node: ast.AST | None, *, narrow: bool = False) -> Type:
        """The type that an annotation names."""
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return NOTHING
        if isinstance(node, ast.Attribute):  # np.uint64
            return Type(CASTS[node.attr])
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):  # tuple[int, int]
            parts = (self.type_of(module, one, narrow=narrow) for one in node.slice.elts)
            return Type("tuple", parts=tuple(parts)) if _is_name(node.value, "tuple") else OBJECT
        if not isinstance(node, ast.Name):
            return OBJECT
        simple = {"int": Type("int") if narrow else LONG, "bool": BOOL, "float": DOUBLE}
        known = simple.get(node.id) or array_type(node.id)
        if known:
            return known
        origin, name, found = self.find(module, node.id)
        if isinstance(found, ast.ClassDef):
            return Type(name, group=(origin, name))
        if isinstance(found, ast.Assign):  # an alias
            return self.type_of(origin, found.value, narrow=narrow)
        return OBJECT

    def fields(self, group: tuple[str, str]) -> dict[str, Type]:
        """The fields of a NamedTuple."""
        module, name = group
        node = self.find(module, name)[2]
        assert isinstance(node, ast.ClassDef)
        return {
            one.target.id: self.type_of(module, one.annotation)
            for one in node.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        }

    def parameters(self, module: str, node: ast.FunctionDef) -> dict[str, Type]:
        """The parameters of a loop."""
        narrow = "narrow" in decorators(node)
        return {
            one.arg: self.type_of(module, one.annotation, narrow=narrow) for one in node.args.args
        }

    def returned(self, module: str, node: ast.FunctionDef) -> Type:
        """The type of what a loop returns."""
        return self.type_of(module, node.returns, narrow="narrow" in decorators(node))

    def constant(self, module: str, name: str) -> Any:
        """The value of a module constant: a number, or a tuple of numbers; None if it is neither.
        A number of a fixed width is a list of the name of its type and the number."""
        origin, original, node = self.find(module, name)
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            return None
        try:
            value = self.evaluate(origin, node.value)
        except LoopError:
            return None
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Tuple):
            return list(value)[[ast.unparse(one) for one in target.elts].index(original)]
        return value

    def evaluate(self, module: str, node: ast.AST) -> Any:
        """The value of a constant expression. Raises LoopError for any other."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return node.value
        if isinstance(node, ast.Tuple):
            return tuple(self.evaluate(module, one) for one in node.elts)
        if isinstance(node, ast.Name):
            value = self.constant(module, node.id)
            if value is not None:
                return value
        elif isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](self.evaluate(module, node.operand))
        elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            left, right = self.evaluate(module, node.left), self.evaluate(module, node.right)
            return _OPERATORS[type(node.op)](left, right)
        elif isinstance(node, ast.Subscript):
            return self.evaluate(module, node.value)[self.evaluate(module, node.slice)]
        elif isinstance(node, ast.Call):
            arguments = [self.evaluate(module, one) for one in node.args]
            if isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
                return _FUNCTIONS[node.func.id](*arguments)
            if isinstance(node.func, ast.Attribute) and node.func.attr in CASTS:
                return [CASTS[node.func.attr], *arguments]
        raise LoopError(f"{module}: {ast.unparse(node)} is not a constant")


def decorators(node: ast.AST) -> set[str]:
    """The names of the decorators of a function that make it a loop."""
    listed = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return {one.id for one in listed if isinstance(one, ast.Name)} & _DECORATORS


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _parsed(path: Path) -> Module:
    module = Module(path)
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            module.definitions[node.name] = node
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                module.imported[alias.asname or alias.name] = (node.module, alias.name)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                for one in names:
                    if isinstance(one, ast.Name):
                        module.definitions[one.id] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            module.definitions[node.target.id] = node
    return module
