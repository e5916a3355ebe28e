#!/usr/bin/env bash
# schemathesis.sh FOLDER: Schemathesis with everything that it needs, at the versions of schemathesis/requirements.txt, in a
# virtual environment of its own: FOLDER/venv/bin/schemathesis.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib.sh"

folder=$1
mkdir -p "$folder"
need_commands python3
python3 -m venv "$folder/venv"
retry 10 "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-input -r "$here/schemathesis/requirements.txt"
"$folder/venv/bin/schemathesis" --version
