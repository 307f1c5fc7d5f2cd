#!/usr/bin/env bash
# Installs undoku from the action's folder and renders MANIFEST into FOLDER with JOBS workers; what
# the run says goes to REPORT as JSON. UNDOKU_CACHE_DIR keeps compiled loops between runs.
set -euo pipefail
source="$(cd "$(dirname "$0")/.." && pwd)"
mkdir -p "$UNDOKU_CACHE_DIR"
chmod 700 "$UNDOKU_CACHE_DIR"
python -m pip install --quiet --disable-pip-version-check "$source"
undoku batch "$MANIFEST" --output "$FOLDER" ${JOBS:+--jobs "$JOBS"} --json > "$REPORT"
