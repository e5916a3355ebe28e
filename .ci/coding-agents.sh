#!/usr/bin/env bash
# coding-agents.sh FOLDER: Codex, Claude Code, gemini-cli and opencode at pinned versions, as FOLDER/codex, FOLDER/claude,
# FOLDER/gemini and FOLDER/opencode.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folder=$1
mkdir -p "$folder/npm"
need_commands node npm
echo '{"private":true}' >"$folder/npm/package.json"
# All but gemini-cli are programs in optional packages for each platform; none needs its install script.
retry 10 npm install --silent --prefix "$folder/npm" --ignore-scripts --no-audit --no-fund \
  @openai/codex@0.169.0 @anthropic-ai/claude-code@2.1.330 @google/gemini-cli@0.61.0 opencode-ai@1.18.33
ln -sf "$folder/npm/node_modules/.bin/codex" "$folder/codex"
claude=$(find "$folder/npm/node_modules/@anthropic-ai" -path '*/claude-code-*/claude' -type f | head -n 1)
[ -n "$claude" ] || fail "Claude Code has no program for this platform"
ln -sf "$claude" "$folder/claude"
ln -sf "$folder/npm/node_modules/.bin/gemini" "$folder/gemini"
opencode=$(find "$folder/npm/node_modules" -path '*/opencode-linux-*/bin/opencode' -type f | sort | head -n 1)
[ -n "$opencode" ] || fail "opencode has no program for this platform"
ln -sf "$opencode" "$folder/opencode"
"$folder/codex" --version
"$folder/claude" --version
"$folder/gemini" --version
"$folder/opencode" --version
