#!/bin/bash
# ours.sh sqlite|pg COMMAND: runs our server for the load generator; its peers/lib.sh documents the commands.
# HARNESS is its folder, USERS the number of accounts, NODE_FLAGS Node's flags. Seeding the accounts creates the schema.
KIND=$1
shift
NAME=ours-$KIND
. "$HARNESS/peers/lib.sh"
BENCH=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PG=17433

settings() {
  export DATA_DIR=$DATA/data
  [ "$KIND" != pg ] || export DATABASE_URL=postgres://bench@127.0.0.1:$PG/bench
}

p_init() {
  mkdir "$DATA/data"
  [ "$KIND" != pg ] || pg_create $PG bench
  (settings && pin node "$BENCH/load/seed.ts" --users "$USERS")
  [ "$KIND" != pg ] || pg_down
}

p_start() {
  [ "$KIND" != pg ] || pg_up $PG
  rm -f "$RUN/printed"
  # shellcheck disable=SC2086
  (settings && pin node $NODE_FLAGS "$BENCH/ours.ts" "$DATA/data" > "$RUN/printed" 2>> "$LOGS/stderr.log" < /dev/null) &
  echo $! > "$RUN/server.pid"
  for _ in $(seq 300); do
    ! grep -q port "$RUN/printed" 2> /dev/null || return 0
    sleep 0.1
  done
  die "ours did not start, see $LOGS/stderr.log"
}

p_stop() {
  stop_pidfile "$RUN/server.pid" TERM 20
  [ "$KIND" != pg ] || pg_down
}

p_pids() {
  echo "server $(cat "$RUN/server.pid")"
  [ "$KIND" != pg ] || echo "db $(head -n 1 "$RUN/pg.pid")"
}

p_audit() {
  case $KIND in
    pg) pg_sql $PG bench 'select count(*) from messages' ;;
    *) sqlite3 -readonly "$DATA/data/privity.db" 'select count(*) from messages' ;;
  esac
}

p_settle() { [ "$KIND" != pg ] || pg_sql $PG bench 'vacuum analyze'; }

p_version() { node --version; }

dispatch "$@"
