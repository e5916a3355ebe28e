#!/usr/bin/env bash
# clients.sh FOLDER: what tests/clients needs, at the versions of the files in clients/: linters of the OpenAPI document and
# generators of clients, and client libraries, in FOLDER/node_modules and FOLDER/venv, with what the generated clients import.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib.sh"

folder=$1
mkdir -p "$folder"
cp -r "$here"/clients/. "$folder"
cd "$folder"
need_commands npm python3

retry 10 npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
python3 -m venv "$folder/venv"
retry 10 "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-input -r requirements.txt
"$folder/venv/bin/openapi-python-client" --version
