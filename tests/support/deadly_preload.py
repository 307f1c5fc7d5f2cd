"""Loaded into each worker of a test's cluster as it starts."""

from __future__ import annotations

from tests.support.deadly_pass import plant

plant()
