# shellcheck shell=bash
# Shared by the scripts of this folder (sourced).

export CI_STARTED="${CI_STARTED:-$EPOCHSECONDS}"

say() { printf '[ci %4ds] %s\n' "$((EPOCHSECONDS - CI_STARTED))" "$*"; }

fail() {
  printf '[ci] FAILED: %s\n' "$*" >&2
  exit 1
}

need_commands() {
  local name
  for name in "$@"; do
    command -v "$name" >/dev/null || fail "'$name' is missing on this machine"
  done
}

# retry MINUTES COMMAND...: for downloads, whose servers may fail or hang for a moment: up to three attempts of at most this
# many minutes each, 10 and 20 seconds apart. The command must be an executable that can be repeated; it stays in its
# process group, so that an interrupted run ends it.
retry() {
  local minutes=$1 attempt
  shift
  for attempt in 1 2 3; do
    if timeout --foreground --kill-after=10s "${minutes}m" "$@"; then return 0; fi
    say "attempt $attempt of 3 failed: $*" >&2
    [ "$attempt" = 3 ] || sleep $((attempt * 10))
  done
  return 1
}

# Prints a TCP port on loopback that is free right now.
free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# wait_until SECONDS PID COMMAND...: polls until COMMAND succeeds; gives up when PID has ended or time is over.
wait_until() {
  local deadline=$((SECONDS + $1)) pid=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    kill -0 "$pid" 2>/dev/null || return 1
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 0.2
  done
}

# Ends one process, or with `-PID` one process group: SIGTERM, then SIGKILL after ten seconds.
stop_pid() {
  kill -- "$1" 2>/dev/null || return 0
  local deadline=$((SECONDS + 10))
  while kill -0 -- "$1" 2>/dev/null; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      kill -9 -- "$1" 2>/dev/null
      return 0
    fi
    sleep 0.2
  done
}
