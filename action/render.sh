#!/usr/bin/env bash
# Installs undoku from the action's folder, which takes a minute, and renders MANIFEST into FOLDER with
# JOBS workers; what the run says goes to REPORT as JSON.
set -euo pipefail
source="$(cd "$(dirname "$0")/.." && pwd)"
python -m pip install --quiet --disable-pip-version-check "$source"
undoku batch "$MANIFEST" --output "$FOLDER" ${JOBS:+--jobs "$JOBS"} --json > "$REPORT"
