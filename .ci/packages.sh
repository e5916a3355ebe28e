#!/usr/bin/env bash
# packages.sh NAME...: Debian packages, each of which brings a command of its own name. Present ones are left alone.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

missing=()
for name in "$@"; do
  command -v "$name" >/dev/null || missing+=("$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0

need_commands apt-get
as_root=()
if [ "$(id -u)" != 0 ]; then
  need_commands sudo
  as_root=(sudo -n)
fi

"${as_root[@]}" apt-get update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "${missing[@]}"
need_commands "$@"
