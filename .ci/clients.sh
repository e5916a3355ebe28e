#!/usr/bin/env bash
# clients.sh FOLDER: what tests/clients needs, at the versions of the files in clients/: linters of the OpenAPI document and
# generators of clients in FOLDER/node_modules, FOLDER/venv, FOLDER/bin and FOLDER/java, and what they import.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib.sh"

folder=$1
mkdir -p "$folder"
cp -r "$here"/clients/. "$folder"
cd "$folder"
need_commands npm python3 go

retry 10 npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
python3 -m venv "$folder/venv"
retry 10 "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-input -r requirements.txt
GOBIN="$folder/bin" retry 15 go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen
retry 10 go mod download
