#!/usr/bin/env bash
# clients.sh FOLDER: what tests/clients needs, at the versions of the files in clients/: linters of the OpenAPI document and
# generators of clients in FOLDER/node_modules and FOLDER/venv; the client libraries of the matrix in FOLDER/libraries, with
# a current Node in FOLDER/node, and in FOLDER/python/NAME, one virtual environment for each clients/python/NAME.txt;
# what the Python client and its build need as wheels in FOLDER/wheels; runtimes for our TypeScript client in
# FOLDER/runtimes, and its oldest Node in FOLDER/node-18.
# For Go, the generator oapi-codegen in FOLDER/go/bin, with the modules that its clients import in go's own cache; for Java,
# openapi-generator and what its clients import in FOLDER/java/generator and FOLDER/java/libs.
# The .txt files are made of the .in files: uv pip compile --no-annotate --no-header --python-version 3.11 NAME.in -o NAME.txt
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib.sh"

folder=$1
mkdir -p "$folder"
cp -r "$here"/clients/. "$folder"
cd "$folder"
need_commands npm python3 go mvn

retry 10 npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
# Some libraries require a newer Node than ours, which runs npm.
retry 10 npm ci --prefix libraries --no-audit --no-fund --ignore-scripts --loglevel=error
"$here/containers.sh" node "$folder/node"
"$here/containers.sh" node "$folder/node-18" 18.20.8
retry 10 npm ci --prefix runtimes --no-audit --no-fund --ignore-scripts --loglevel=error
python3 -m venv "$folder/venv"
retry 10 "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-input -r requirements.txt
"$folder/venv/bin/openapi-python-client" --version
for requirements in python/*.txt; do
  environment="$folder/${requirements%.txt}"
  "$folder/venv/bin/uv" venv --quiet --python "$folder/venv/bin/python" "$environment"
  retry 10 "$folder/venv/bin/uv" pip install --quiet --compile-bytecode --python "$environment/bin/python" -r "$requirements"
done
# The Python client is installed from these, without a registry.
retry 10 "$folder/venv/bin/pip" download --quiet --disable-pip-version-check --no-input --only-binary :all: \
  -r python/client.txt -d wheels

GOBIN="$folder/go/bin" retry 30 go -C go install tool
retry 10 go -C go mod download
retry 15 mvn --quiet --batch-mode -f java/pom.xml dependency:copy-dependencies -DoutputDirectory="$folder/java/libs"
retry 15 mvn --quiet --batch-mode -f java/generator/pom.xml dependency:copy-dependencies -DexcludeTransitive=true \
  -DoutputDirectory="$folder/java/generator"
