"""Writes the Cython source of compiled loops from their Python source.

A loop is a function of the program with one of the decorators of `undoku/h264/loops.py`. Its Python
source is also its reference: it runs as it is if UNDOKU_PLAIN is set. These modules join the loops
of a package, and all loops that they call, to one file in Cython's pure Python mode, because calls
between files go through pointers and are not inlined, and constants of modules are Python objects.
In the joined file

- each loop is a C function without the GIL; an array parameter has the type of its argument, so a
  loop that is called with several types is written once for each;
- an array is a C structure: the address of its elements and its lengths. A call takes it from the
  buffer of the Python object, which the caller keeps alive; an element is found by its number;
- a NamedTuple of arrays is a structure of these, made once for each tuple, which remembers it; a
  loop takes its address, and a local name of one is a copy;
- integers are 64 bits wide, in functions decorated `narrow` 32 bits; elements of arrays are widened
  before they are computed with, as in Python;
- constants are literals; constant tables are arrays;
- a slice that is assigned to one of the same type is copied as a block of memory;
- `call_outside` calls a Python function with the GIL, and `rarely` marks a branch for the compiler.

What a loop may contain follows from this: assignments, for, while, if, calls of loops, arithmetic,
indices from the beginning, slices of consecutive elements, and NamedTuples that are passed on. All
else is refused with the line.

`program` finds definitions and constants, `types` names types, `simplify` rewrites statements that
Cython can't compile without the GIL, `translate` writes one loop, `joined` the file.
"""
