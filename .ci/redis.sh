#!/usr/bin/env bash
# redis.sh FOLDER PORT: a Redis of this run's own, in memory only. Writes FOLDER/pid.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folder=$1
port=$2
mkdir -p "$folder"

redis-server --bind 127.0.0.1 --port "$port" --dir "$folder" --save '' --appendonly no \
  </dev/null >"$folder/redis.log" 2>&1 &
pid=$!
echo "$pid" >"$folder/pid"

answers() { [ "$(redis-cli -h 127.0.0.1 -p "$port" ping)" = PONG ]; }
if ! wait_until 30 "$pid" answers; then
  tail -n 40 "$folder/redis.log" >&2
  fail 'Redis did not start'
fi
say "redis $(redis-server --version | sed 's/.*v=\([^ ]*\).*/\1/'): answers on port $port"
