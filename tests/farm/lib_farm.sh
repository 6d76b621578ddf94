# SPDX-License-Identifier: Apache-2.0 OR MIT
# Shared by the tests of the farm: a PostgreSQL server of their own in the scratch folder, on a socket there, without a
# password. The server refuses to run as root; a test that runs as root starts it as another user.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../acceptance/lib.sh"
bin=$(pg_config --bindir 2> /dev/null || true)
[ -x "$bin/initdb" ] || bin=$(compgen -G '/usr/lib/postgresql/*/bin' | sort -V | tail -1)
[ -x "$bin/initdb" ] || skip "no PostgreSQL server is installed (Debian: postgresql)"
as_server=()
chmod 755 "$scratch"
mkdir "$scratch/pg"
if [ "$(id -u)" = 0 ]; then
  user=$(id -un postgres 2> /dev/null || echo nobody)
  as_server=(setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups)
  chown "$user" "$scratch/pg"
fi
url="host=$scratch/pg user=farm dbname=farm"

server_start() { # OPTION...
  local options="-k $scratch/pg -p 5432 -c listen_addresses= $*"
  (cd "$scratch/pg" && "${as_server[@]}" "$bin/pg_ctl" -D "$scratch/pg/data" -l "$scratch/pg/log" -w -t 300 \
    -o "$options" start > "$scratch/pg.start" 2>&1) && return
  cat "$scratch/pg.start"
  return 1
}
server_stop() { # MODE
  (cd "$scratch/pg" && "${as_server[@]}" "$bin/pg_ctl" -D "$scratch/pg/data" -m "${1:-immediate}" -w -t 300 stop) \
    > /dev/null 2>&1 || true
}
server_create() {
  local init=("${as_server[@]}" "$bin/initdb" -D "$scratch/pg/data" -A trust -U farm --no-sync)
  (cd "$scratch/pg" && "${init[@]}") \
    > "$scratch/pg.init" 2>&1 || { cat "$scratch/pg.init"; exit 1; }
  # As in production, but without fsync, because other tests use the disk.
  printf '%s\n' "listen_addresses = '127.0.0.1'" "max_connections = 100" "shared_buffers = 64MB" "fsync = off" \
    >> "$scratch/pg/data/postgresql.conf"
  server_start && psql -h "$scratch/pg" -U farm -d postgres -qc "CREATE DATABASE farm"
}
# Ends the processes of this test that still run, by their numbers.
clean_up() {
  local child
  for child in $(jobs -p); do kill -9 "$child" 2> /dev/null || true; done
  server_stop immediate
  chmod -R u+w "$scratch" 2> /dev/null
  rm -rf "$scratch"
}
trap clean_up EXIT
set +m
sql() { psql -h "$scratch/pg" -U "${role:-farm}" -d farm -qAtc "$1"; }
is() { # WHAT QUERY VALUE
  local got
  checks=$((checks + 1))
  got=$(sql "$2" 2>&1 | head -1) || true
  [ "$got" = "$3" ] || object "$1: \"$got\" instead of \"$3\""
}
