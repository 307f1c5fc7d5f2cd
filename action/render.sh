#!/usr/bin/env bash
# Installs undoku and renders MANIFEST into FOLDER with JOBS workers; what the run says goes to REPORT
# as JSON. The wheel is that in WHEELS, which the action caches; else that of the action's release, if
# it has one for this machine; else it is built from the action's folder, which takes a minute.
set -euo pipefail
source="$(cd "$(dirname "$0")/.." && pwd)"
pip="python -m pip --quiet --disable-pip-version-check"
mkdir -p "$WHEELS"
case "${RUNNER_OS:-Linux}-${RUNNER_ARCH:-X64}" in
  Linux-X64) machine="*linux*x86_64" ;; Linux-ARM64) machine="*linux*aarch64" ;;
  macOS-X64) machine="macosx*x86_64" ;; macOS-ARM64) machine="macosx*arm64" ;;
  *) machine="win_amd64" ;;
esac
if ! compgen -G "$WHEELS/undoku-*.whl" > /dev/null; then
  gh release download "${ACTION_REF:-}" --repo "${ACTION_REPOSITORY:-}" --dir "$WHEELS" \
    --pattern "undoku-*-$machine.whl" 2> /dev/null \
    || $pip wheel --no-deps --wheel-dir "$WHEELS" "$source"
fi
$pip install "$WHEELS"/undoku-*.whl
undoku batch "$MANIFEST" --output "$FOLDER" ${JOBS:+--jobs "$JOBS"} --json > "$REPORT"
