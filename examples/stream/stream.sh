#!/usr/bin/env bash
# Streams an answer with curl, as server-sent events.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
file=${TOLLGATE_FILE:-.local/tollgate.json}
read_file() { node -p "JSON.parse(require('fs').readFileSync('$file', 'utf8')).$1"; }

curl -fsSN "$(read_file base_url)/responses" -H "Authorization: Bearer $(read_file customer_token)" \
  -H 'Content-Type: application/json' -H 'Accept: text/event-stream' \
  -d '{"input":[{"type":"message","role":"user","content":[{"type":"text","text":"write 20 words"}]}]}'
