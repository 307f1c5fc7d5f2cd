"""Writes one loop for arguments of given types."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any, Protocol

from loop_source.program import LoopError, Program, decorators
from loop_source.simplify import (
    Simplifier,
    call,
    chosen,
    copied,
    element_at,
    expression,
    is_shape,
    is_text,
)
from loop_source.types import (
    BOOL,
    CASTS,
    DOUBLE,
    LONG,
    Type,
    common_type,
    element_type,
)

_DECORATORS = "@cython.cfunc\n@cython.inline\n@cython.nogil\n@cython.exceptval(check=False)\n"


class File(Protocol):
    """The file in which a loop is written: it writes and names what the loop uses."""

    def loop(self, module: str, node: ast.FunctionDef, types: tuple[Type, ...]) -> str: ...

    def table(self, module: str, node: ast.AnnAssign) -> str: ...

    def numbers(self, values: tuple[int, ...]) -> str: ...


class Loop(ast.NodeTransformer):
    """One loop; `types` are those of its arguments, `name` is its name in the file."""

    def __init__(
        self,
        program: Program,
        file: File,
        module: str,
        node: ast.FunctionDef,
        types: tuple[Type, ...],
        name: str,
    ) -> None:
        self._program, self._file, self._module, self._node = program, file, module, node
        self._name = name
        self._number = Type("int") if "narrow" in decorators(node) else LONG
        self._parameters = dict(zip([one.arg for one in node.args.args], types, strict=True))
        self._types: dict[str, Type] = dict(self._parameters)

    def text(self) -> str:
        simplifier = Simplifier(self._fields, self._is_constant)
        body = [deepcopy(one) for one in self._node.body if not is_text(one)]
        body = list(simplifier.rewritten(body))
        self._types |= dict.fromkeys(simplifier.indices, LONG)
        for _ in range(4):  # a type may follow from a later assignment
            for statement in body:
                self._learn(statement)
        written: list[ast.stmt] = []
        for statement in body:
            made = self.visit(statement)
            written += made if isinstance(made, list) else [made] if made else []
        head = ", ".join(f"{one}: {kind.written}" for one, kind in self._parameters.items())
        returned = self._program.returned(self._module, self._node)
        lines = [f"{_DECORATORS}def {self._name}({head}) -> {returned.written}:"]
        local = {one: kind for one, kind in self._types.items() if one not in self._parameters}
        lines += [
            f"    {one}: {kind.struct if kind.group else kind.whole.written}"
            for one, kind in local.items()
        ]
        tree = ast.fix_missing_locations(ast.Module(written or [ast.Pass()], []))
        return "\n".join(lines + ["    " + line for line in ast.unparse(tree).splitlines()])

    def _error(self, node: ast.AST, why: str) -> LoopError:
        path = self._program.module(self._module).path
        return LoopError(f"{path}:{getattr(node, 'lineno', '?')}: {why}: {ast.unparse(node)}")

    def _fields(self, node: ast.expr) -> Sequence[str] | None:
        kind = self._type(node)
        return list(self._program.fields(kind.group)) if kind and kind.group else None

    def _is_constant(self, node: ast.expr) -> bool:
        try:
            self._program.evaluate(self._module, node)
        except LoopError:
            return False
        return True

    # Types of local names

    def _learn(self, node: ast.AST) -> None:
        """Learn the types of the names that a statement assigns."""
        for one in ast.walk(node):
            if isinstance(one, ast.Assign):
                self._assigned(one.targets[0], self._type(one.value))
            elif isinstance(one, ast.AugAssign):
                value = ast.BinOp(copied(one.target), one.op, one.value)
                self._assigned(one.target, self._type(value))
            elif isinstance(one, ast.For):
                self._assigned(one.target, self._number)

    def _assigned(self, target: ast.expr, kind: Type | None) -> None:
        if kind is None:
            return
        if isinstance(target, ast.Tuple):
            parts = kind.parts or (element_type(kind, self._number),) * len(target.elts)
            for one, part in zip(target.elts, parts, strict=True):
                self._assigned(one, part)
            return
        if not isinstance(target, ast.Name) or target.id in self._parameters:
            return
        before = self._types.get(target.id)
        self._types[target.id] = common_type(before, kind, self._number) if before else kind

    def _type(self, node: ast.expr) -> Type | None:
        """The type of an expression; None if it is not known yet."""
        if isinstance(node, ast.Constant):
            return self._type_of_number(node.value)
        if isinstance(node, ast.Name):
            return self._type_of_name(node)
        if isinstance(node, ast.Attribute):
            kind = self._type(node.value)
            return self._program.fields(kind.group).get(node.attr) if kind and kind.group else None
        if isinstance(node, ast.Subscript):
            return self._type_of_part(node)
        if isinstance(node, ast.Call):
            return self._type_of_call(node)
        if isinstance(node, ast.Tuple):
            kinds = [self._type(one) for one in node.elts]
            known = [kind for kind in kinds if kind]
            return Type("tuple", parts=tuple(known)) if len(known) == len(kinds) else None
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Div):
                return DOUBLE
            shift = isinstance(node.op, ast.LShift | ast.RShift)
            return self._common([node.left] if shift else [node.left, node.right])
        if isinstance(node, ast.UnaryOp):
            return BOOL if isinstance(node.op, ast.Not) else self._common([node.operand])
        if isinstance(node, ast.Compare):
            return BOOL
        if isinstance(node, ast.BoolOp):
            return self._common(node.values)
        if isinstance(node, ast.IfExp):
            return self._common([node.body, node.orelse])
        raise self._error(node, "not possible in a loop")

    def _common(self, nodes: Sequence[ast.expr]) -> Type | None:
        common: Type | None = None
        for node in nodes:
            kind = self._type(node)
            if kind is None:
                return None
            common = common_type(common, kind, self._number) if common else kind
        return common

    def _type_of_number(self, value: Any) -> Type:
        if isinstance(value, bool):
            return BOOL
        if isinstance(value, list):  # of a fixed width
            return Type(value[0])
        if isinstance(value, tuple):
            return Type("tuple", parts=tuple(map(self._type_of_number, value)))
        return replace(DOUBLE if isinstance(value, float) else self._number, literal=True)

    def _type_of_name(self, node: ast.Name) -> Type | None:
        if node.id in self._types:
            return self._types[node.id]
        value = self._program.constant(self._module, node.id)
        if value is not None:
            return self._type_of_number(value)
        origin, _, found = self._program.find(self._module, node.id)
        if isinstance(found, ast.AnnAssign):
            return self._program.type_of(origin, found.annotation)
        return None

    def _type_of_part(self, node: ast.Subscript) -> Type | None:
        """The type of an element or a slice."""
        kind = replace(LONG, dims=1) if is_shape(node.value) else self._type(node.value)
        if kind is None:
            return None
        if kind.parts:
            constant = isinstance(node.slice, ast.Constant)
            return kind.parts[node.slice.value] if constant else self._number  # type: ignore[attr-defined]
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(one, ast.UnaryOp) for one in indices):
            raise self._error(node, "indices count from the beginning")
        dims = kind.dims - sum(not isinstance(one, ast.Slice) for one in indices)
        if not kind.dims or dims < 0:
            raise self._error(node, f"not an array of so many dimensions ({kind.written})")
        return replace(kind, dims=dims) if dims else element_type(kind, self._number)

    def _type_of_call(self, node: ast.Call) -> Type | None:
        if isinstance(node.func, ast.Attribute):  # np.int32(x)
            return Type(CASTS[node.func.attr])
        name = ast.unparse(node.func)
        if name in ("min", "max", "abs"):
            return self._common(node.args)
        known = {"int": self._number, "len": LONG, "bool": BOOL, "float": DOUBLE}.get(name)
        if known:
            return known
        origin, _, found = self._program.find(self._module, name)
        if not isinstance(found, ast.FunctionDef):
            raise self._error(node, "not a loop")
        return self._program.returned(origin, found)

    # Statements and expressions in Cython

    def visit_Assign(self, node: ast.Assign) -> Any:
        target, kind = node.targets[0], self._type(node.value)
        if isinstance(target, ast.Tuple) and kind and kind.dims:  # the elements of a row
            return [
                self.visit(ast.Assign([one], element_at(node.value, at), lineno=node.lineno))
                for at, one in enumerate(target.elts)
            ]
        filled = self._type_of_part(target) if isinstance(target, ast.Subscript) else None
        if filled and filled.dims:
            return self._fill(target, filled, node.value)
        return ast.Assign([self.visit(target)], self.visit(node.value), lineno=node.lineno)

    def _fill(self, target: ast.expr, filled: Type, value: ast.expr) -> ast.stmt:
        """Assign a number, or the elements of another array, to those of a part of an array."""
        at, begun, lengths = self._place(target)
        length = " * ".join(lengths)
        kind = self._type(value)
        name = f"element_{len(self._types)}"
        if kind and kind.dims:
            source, first, _ = self._place(value)
            if kind.name == filled.name:
                size = f"({length}) * cython.sizeof(cython.{kind.name})"
                return ast.Expr(expression(f"_copy({at} + {begun}, {source} + {first}, {size})"))
            assigned = f"{source}[{first} + {name}]"
        else:
            assigned = ast.unparse(self.visit(value))
        self._types[name] = LONG
        head = f"for {name} in range({length}):"
        return ast.parse(f"{head}\n    {at}[{begun} + {name}] = {assigned}").body[0]

    def visit_Expr(self, node: ast.Expr) -> Any:
        return None if is_text(node) else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        if isinstance(node.ctx, ast.Store):
            return node
        if node.id in self._types:
            return node
        value = self._program.constant(self._module, node.id)
        if value is not None:
            return _literal(value)
        origin, _, found = self._program.find(self._module, node.id)
        if isinstance(found, ast.AnnAssign):
            return ast.Name(self._file.table(origin, found), ast.Load())
        raise self._error(node, "neither a local name nor a constant")

    def visit_Constant(self, node: ast.Constant) -> Any:
        return _literal(node.value) if isinstance(node.value, int) else node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if is_shape(node.value):
            return expression(self._place(node.value.value)[2][node.slice.value])  # type: ignore[attr-defined]
        kind = self._type(node.value)
        if kind and kind.parts:
            return self._element_of_tuple(node)
        part = self._type_of_part(node)
        if part is None or kind is None:
            raise self._error(node, "its type is not known")
        at, begun, lengths = self._place(node)
        if lengths:
            return expression(f"{part.struct}({', '.join([f'{at} + {begun}', *lengths])})")
        element = expression(f"{at}[{begun}]")
        is_wider = isinstance(node.ctx, ast.Load) and part.name != kind.name
        return _cast(part.name, element) if is_wider else element

    def _place(self, node: ast.expr) -> tuple[str, str, list[str]]:
        """Where an array, or a part of one, is: the elements of the whole array, the number of its
        first element among them, and its own lengths."""
        if not isinstance(node, ast.Subscript):
            kind, array = self._type(node), ast.unparse(self.visit(node))
            dims = kind.dims if kind else 0
            return f"({array}).at", "0", [f"({array}).n{axis}" for axis in range(dims)]
        at, begun, lengths = self._place(node.value)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        number, own = "0", list[str]()
        for axis, length in enumerate(lengths):
            index = indices[axis] if axis < len(indices) else ast.Slice()
            if own and ast.unparse(index) != ":":
                raise self._error(node, "its elements do not follow one another")
            first = index.lower if isinstance(index, ast.Slice) else index
            written = f"({ast.unparse(self.visit(first))})" if first else "0"
            if isinstance(index, ast.Slice):
                end = ast.unparse(self.visit(index.upper)) if index.upper else length
                own.append(f"({end} - {written})" if first else f"({end})")
            number = f"({number}) * {length} + {written}" if axis else written
        return at, number if begun == "0" else f"{begun} + {number}", own

    def _passed(self, node: ast.expr) -> ast.expr:
        """A value that is passed on; a group is passed by its address. Parameters are addresses of
        groups, local names copies, of which the compiler knows that nothing else changes them."""
        kind, value = self._type(node), self.visit(node)
        is_parameter = isinstance(node, ast.Name) and node.id in self._parameters
        if kind and kind.group and not is_parameter:
            return expression(f"cython.address({ast.unparse(value)})")
        return value  # type: ignore[no-any-return]

    def _element_of_tuple(self, node: ast.Subscript) -> Any:
        """An element of a constant tuple, of a tuple in parentheses, or of a local one."""
        if self._is_constant(node.value):
            value = self._program.evaluate(self._module, node.value)
            if isinstance(node.slice, ast.Constant):
                return _literal(value[node.slice.value])
            index = ast.unparse(self.visit(node.slice))
            return expression(f"{self._file.numbers(value)}.at[{index}]")
        if isinstance(node.value, ast.Tuple):
            return self.visit(chosen(node.slice, node.value.elts))
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        kind = self._type(node.left)
        result = self.generic_visit(node)
        if isinstance(node.op, ast.LShift) and kind and kind.literal:  # in C, 1 has 32 bits
            node.left = _cast(self._number.name, node.left)
        return result

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        for choice in (node.body, node.orelse):
            if isinstance(choice, ast.Tuple):  # Cython takes literals for narrower numbers
                choice.elts = [
                    call("int", one)
                    if self._type(one) == replace(self._number, literal=True)
                    else one
                    for one in choice.elts
                ]
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        if node.keywords:
            raise self._error(node, "arguments of a loop are positional")
        if isinstance(node.func, ast.Attribute):  # np.int32(x)
            return _cast(CASTS[node.func.attr], self.visit(node.args[0]))
        name = ast.unparse(node.func)
        if name in ("int", "float"):
            number = DOUBLE if name == "float" else self._number
            return _cast(number.name, self.visit(node.args[0]))
        if name == "len":
            return expression(self._place(node.args[0])[2][0])
        if name in ("bool", "min", "max", "abs", "range"):
            return call(name, *map(self.visit, node.args))
        origin, original, found = self._program.find(self._module, name)
        if not isinstance(found, ast.FunctionDef):
            raise self._error(node, "not a loop")
        if not decorators(found):  # low_bit and others that the file has in C
            return call(f"_{original}", *map(self.visit, node.args))
        types = []
        expected = self._program.parameters(origin, found).values()
        if len(node.args) != len(expected):
            raise self._error(node, f"a loop of {len(expected)} arguments")
        for argument, wanted in zip(node.args, expected, strict=True):
            kind = self._type(argument)
            if kind is None:
                raise self._error(argument, "its type is not known")
            types.append(kind if kind.dims or kind.group else wanted)
        unique = self._file.loop(origin, found, tuple(types))
        return call(unique, *map(self._passed, node.args))


def _cast(kind: str, node: ast.AST) -> ast.expr:
    return expression(f"cython.cast(cython.{kind}, {ast.unparse(node)})")


def _literal(value: Any) -> ast.expr:
    """A constant; an integer of more than 32 bits in two parts, which Cython would otherwise make a
    Python object."""
    if isinstance(value, list):
        return _cast(value[0], _literal(value[1]))
    if isinstance(value, tuple):
        return ast.Tuple([_literal(one) for one in value], ast.Load())
    if isinstance(value, bool | float) or -(1 << 31) <= value < 1 << 31:
        return ast.Constant(value)
    if value < 0:
        return ast.UnaryOp(ast.USub(), _literal(-value))
    kind = "longlong" if value < 1 << 63 else "ulonglong"
    low = value & (1 << 31) - 1
    return expression(
        f"cython.cast(cython.{kind}, cython.cast(cython.ulonglong, {value >> 31}) << 31 | {low})"
    )
