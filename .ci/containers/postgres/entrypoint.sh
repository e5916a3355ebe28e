#!/bin/bash
# The part of the original's entry point that is used: POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB, server arguments and
# files *.sql in /docker-entrypoint-initdb.d.
set -euo pipefail
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres: /var/lib/postgresql
  chmod 700 "$PGDATA"
  exec setpriv --reuid postgres --regid postgres --clear-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  user=${POSTGRES_USER:-postgres}
  database=${POSTGRES_DB:-$user}
  initdb --pgdata="$PGDATA" --username="$user" --pwfile=<(echo "${POSTGRES_PASSWORD:?}") \
    --auth-host=scram-sha-256 --auth-local=trust --encoding=UTF8 --locale=C.UTF-8
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  # Only on the local socket until the database exists: the health check asks 127.0.0.1 and must not see this server.
  pg_ctl --pgdata="$PGDATA" --wait --options="-c listen_addresses='' -k /run/postgresql" start
  [ "$database" = postgres ] ||
    psql --host=/run/postgresql --username="$user" --dbname=postgres --set=ON_ERROR_STOP=1 --command="CREATE DATABASE \"$database\""
  for file in /docker-entrypoint-initdb.d/*.sql; do
    [ ! -e "$file" ] ||
      psql --host=/run/postgresql --username="$user" --dbname="$database" --set=ON_ERROR_STOP=1 --file="$file"
  done
  pg_ctl --pgdata="$PGDATA" --mode=fast --wait stop
fi
[ "${1:-}" = postgres ] && shift
exec postgres -D "$PGDATA" -k /run/postgresql -c listen_addresses='*' "$@"
