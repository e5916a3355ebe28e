#!/usr/bin/env bash
# packages.sh NAME...: Debian packages, each of which brings a command of its own name (python3-venv: what Python needs to
# make a virtual environment). Present ones are left alone.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

is_there() {
  case "$1" in
    python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

missing=()
for name in "$@"; do
  is_there "$name" || missing+=("$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0

need_commands apt-get
as_root=()
if [ "$(id -u)" != 0 ]; then
  need_commands sudo
  as_root=(sudo -n)
fi

retry 5 "${as_root[@]}" apt-get update
retry 20 "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "${missing[@]}"
for name in "$@"; do
  is_there "$name" || fail "'$name' is missing on this machine"
done
