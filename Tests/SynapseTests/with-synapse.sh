#!/usr/bin/env bash
# with-synapse.sh FOLDER COMMAND…
#
# Runs COMMAND beside homeservers made for it, and ends them, by the process ids that it started, with it:
#   WORDS_SYNAPSE_URL      an ordinary one, with rate limits lifted; WORDS_SYNAPSE_TLS_URL is the same one over TLS
#   WORDS_SYNAPSE_AUTHORITY  the certificate of the authority, made here, that vouches for it
#   WORDS_SYNAPSE_LIMITED_URL  another one, as it comes: rate limits and the rules of the public list are the defaults
#   WORDS_SYNAPSE_FRESH_URLS  as many as FRESH_SYNAPSES says, parted by blanks, like the ordinary one; each for one who is
#                          to have a server that nobody else uses
#   WORDS_SYNAPSE_LARGE_URL  one with an account `host` that is in 2,000 rooms, and in one with 10,000 people
#   WORDS_SYNAPSE_DATABASE the file of the ordinary one's SQLite database
#   WORDS_SYNAPSE_VERSION  what it calls itself
# matrix-synapse is installed into FOLDER/venv where it is not there yet; SYNAPSE says which version of it.
# Exit 77, with the reason, where it cannot be installed here.
set -euo pipefail

folder=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
version=${SYNAPSE:-1.163.2}
python=$folder/venv/bin/python

skip() {
  echo "skipped: $1"
  exit 77
}

install() {
  [ "$(cat "$folder/installed" 2>/dev/null)" = "$version" ] && return
  command -v python3 >/dev/null || skip "there is no python3, and matrix-synapse needs one"
  mkdir -p "$folder"
  local log=$folder/install.log
  python3 -m venv --clear "$folder/venv" >"$log" 2>&1 ||
    skip "no virtual environment can be made ($log); on Debian: apt-get install python3-venv"
  echo "Installing matrix-synapse $version into $folder/venv"
  timeout 400 "$python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
    "matrix-synapse==$version" >>"$log" 2>&1 ||
    skip "matrix-synapse $version cannot be installed: $(tail -n 1 "$log")"
  echo "$version" >"$folder/installed"
}

# An empty database with all its tables, which takes Synapse longer to make than to start, and one with a large account:
# made once.
make_templates() {
  local own=$run/template/synapse.db
  [ -f "$folder/large-$version.db" ] && return
  rm -f "$folder/template-$version.db"
  free_port
  write_configuration template "$port"
  printf 'background_updates: {sleep_enabled: false}\n' >>"$run/template/homeserver.yaml"
  start template
  await template
  "$python" - "$own" "$folder/template-$version.db" <<'END'
import sqlite3, sys, time

source = sqlite3.connect(sys.argv[1], timeout=30)
for _ in range(100):
    if source.execute("SELECT count(*) FROM background_updates").fetchone() == (0,):
        break
    time.sleep(0.1)
source.execute("VACUUM INTO ?", (sys.argv[2],))
END
  "$python" "$here/large-account.py" sign-up "http://127.0.0.1:$port" "$own"
  end template
  unset "pids[template]"
  "$python" "$here/large-account.py" fill "$own" 2000 10000
  mv "$own" "$folder/large-$version.db"
}

# A port that nobody listens on, nor is to.
taken=" "
free_port() {
  while true; do
    port=$(shuf -i 20000-32000 -n 1)
    [ "${taken#* "$port" }" = "$taken" ] || continue
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  taken="$taken$port "
}

# An authority of our own, and a certificate for this machine that it vouches for.
make_certificates() {
  command -v openssl >/dev/null || skip "there is no openssl to make certificates with"
  (
    cd "$run"
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Words test authority" \
      -keyout authority.key -out authority.pem
    openssl req -newkey rsa:2048 -nodes -subj "/CN=localhost" -keyout tls.key -out tls.csr
    printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' >tls.ext
    openssl x509 -req -in tls.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \
      -extfile tls.ext -out tls.pem
  ) >"$run/openssl.log" 2>&1
}

# write_configuration NAME PORT
write_configuration() {
  local home=$run/$1
  mkdir -p "$home/media"
  cp "$run/signing.key" "$home/signing.key"
  local source=$folder/template-$version.db
  [ "$1" = large ] && source=$folder/large-$version.db
  [ "$1" = template ] || cp "$source" "$home/synapse.db"
  ports[$1]=$2
  cat >"$home/log.yaml" <<END
version: 1
formatters: {plain: {format: '%(asctime)s %(levelname)s %(name)s %(message)s'}}
handlers: {file: {class: logging.FileHandler, formatter: plain, filename: $home/synapse.log}}
root: {level: WARNING, handlers: [file]}
END
  cat >"$home/homeserver.yaml" <<END
server_name: localhost
pid_file: $home/synapse.pid
report_stats: false
listeners:
  - {port: $2, bind_addresses: [127.0.0.1], type: http, tls: false, resources: [{names: [client]}]}
database: {name: sqlite3, args: {database: $home/synapse.db}}
log_config: $home/log.yaml
media_store_path: $home/media
signing_key_path: $home/signing.key
trusted_key_servers: []
suppress_key_server_warning: true
macaroon_secret_key: $(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
form_secret: $(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
enable_registration: true
enable_registration_without_verification: true
bcrypt_rounds: 4
END
}

# Not the defaults: many people, in little time, all from one address; and public channels are listed.
lift_limits() {
  local lifted='{per_second: 100000, burst_count: 100000}'
  cat >>"$run/$1/homeserver.yaml" <<END
room_list_publication_rules: [{action: allow}]
user_directory: {search_all_users: true}
rc_message: $lifted
rc_registration: $lifted
rc_login: {address: $lifted, account: $lifted, failed_attempts: $lifted}
rc_joins: {local: $lifted, remote: $lifted}
rc_joins_per_room: $lifted
rc_invites: {per_room: $lifted, per_user: $lifted, per_issuer: $lifted}
rc_room_creation: $lifted
rc_presence: {per_user: $lifted}
rc_user_directory: $lifted
END
}

add_tls() {
  sed -i "s#^database:#  - {port: $2, bind_addresses: [127.0.0.1], type: http, tls: true, resources: [{names: [client]}]}\n&#" \
    "$run/$1/homeserver.yaml"
  printf 'tls_certificate_path: %s\ntls_private_key_path: %s\n' "$run/tls.pem" "$run/tls.key" \
    >>"$run/$1/homeserver.yaml"
}

declare -A pids ports
start() {
  "$python" -m synapse.app.homeserver --config-path "$run/$1/homeserver.yaml" >"$run/$1/output.log" 2>&1 &
  pids[$1]=$!
}

# Until it takes connections, for a minute at most.
await() {
  for _ in $(seq 600); do
    (exec 3<>"/dev/tcp/127.0.0.1/${ports[$1]}") 2>/dev/null && return
    kill -0 "${pids[$1]}" 2>/dev/null || break
    sleep 0.1
  done
  echo "Synapse ($1) did not start:"
  tail -n 20 "$run/$1/output.log" "$run/$1/synapse.log" 2>/dev/null || true
  exit 1
}

# At once: nothing of it is wanted any more, and asked to end it takes its time.
end() { { kill -9 "${pids[$1]}" && wait "${pids[$1]}"; } 2>/dev/null || true; }

stop() {
  for name in "${!pids[@]}"; do end "$name"; done
  [ -n "${KEEP_SYNAPSE:-}" ] || rm -rf "$run"
}

install
folder=$(cd "$folder" && pwd)
python=$folder/venv/bin/python
run=$(mktemp -d "$folder/run.XXXXXX")
trap stop EXIT
make_certificates
"$folder/venv/bin/generate_signing_key" -o "$run/signing.key"
make_templates
read -ra names <<<"ordinary limited large $(seq -s ' ' "${FRESH_SYNAPSES:-0}")"
for name in "${names[@]}"; do
  free_port
  write_configuration "$name" "$port"
  [ "$name" = limited ] || lift_limits "$name"
done
free_port
tls=$port
add_tls ordinary "$tls"
for name in "${names[@]}"; do start "$name"; done
for name in "${names[@]}"; do await "$name"; done
fresh=""
for name in $(seq "${FRESH_SYNAPSES:-0}"); do fresh="$fresh http://127.0.0.1:${ports[$name]}"; done
echo "Synapse $version serves at http://127.0.0.1:${ports[ordinary]} (limits lifted)," \
  "http://127.0.0.1:${ports[limited]} (defaults) and ${FRESH_SYNAPSES:-0} other ports"

WORDS_SYNAPSE_URL=http://127.0.0.1:${ports[ordinary]} WORDS_SYNAPSE_TLS_URL=https://localhost:$tls \
  WORDS_SYNAPSE_AUTHORITY=$run/authority.pem WORDS_SYNAPSE_LIMITED_URL=http://127.0.0.1:${ports[limited]} \
  WORDS_SYNAPSE_FRESH_URLS=${fresh# } WORDS_SYNAPSE_LARGE_URL=http://127.0.0.1:${ports[large]} \
  WORDS_SYNAPSE_DATABASE=$run/ordinary/synapse.db WORDS_SYNAPSE_VERSION="Synapse $version" "$@"
