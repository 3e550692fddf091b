#!/usr/bin/env bash
# with-synapse.sh FOLDER COMMAND…
#
# Runs COMMAND beside two homeservers made for it, and ends them, by the process ids that it started, with it:
#   WORDS_SYNAPSE_URL      an ordinary one, with rate limits lifted; WORDS_SYNAPSE_TLS_URL is the same one over TLS
#   WORDS_SYNAPSE_AUTHORITY  the certificate of the authority, made here, that vouches for it
#   WORDS_SYNAPSE_LIMITED_URL  another one, as it comes: rate limits and the rules of the public list are the defaults
#   WORDS_SYNAPSE_DATABASE the file of the ordinary one's SQLite database
#   WORDS_SYNAPSE_VERSION  what it calls itself
# matrix-synapse is installed into FOLDER/venv where it is not there yet; SYNAPSE says which version of it.
# Exit 77, with the reason, where it cannot be installed here.
set -euo pipefail

folder=$1
shift
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

# A port that nobody listens on.
free_port() {
  local port
  while true; do
    port=$(shuf -i 20000-32000 -n 1)
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
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
  "$folder/venv/bin/generate_signing_key" -o "$home/signing.key"
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

pids=()
start() {
  "$python" -m synapse.app.homeserver --config-path "$run/$1/homeserver.yaml" >"$run/$1/output.log" 2>&1 &
  pids+=($!)
}

# await NAME PORT PID
await() {
  for _ in $(seq 600); do
    (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null && return
    kill -0 "$3" 2>/dev/null || break
    sleep 0.1
  done
  echo "Synapse ($1) did not start:"
  tail -n 20 "$run/$1/output.log" "$run/$1/synapse.log" 2>/dev/null
  exit 1
}

stop() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  [ -n "${KEEP_SYNAPSE:-}" ] || rm -rf "$run"
}

install
folder=$(cd "$folder" && pwd)
python=$folder/venv/bin/python
run=$(mktemp -d "$folder/run.XXXXXX")
trap stop EXIT
make_certificates
ordinary=$(free_port) tls=$(free_port) limited=$(free_port)
write_configuration ordinary "$ordinary"
lift_limits ordinary
add_tls ordinary "$tls"
write_configuration limited "$limited"
start ordinary
start limited
await ordinary "$ordinary" "${pids[0]}"
await limited "$limited" "${pids[1]}"
echo "Synapse $version serves at http://127.0.0.1:$ordinary (limits lifted) and http://127.0.0.1:$limited (defaults)"

WORDS_SYNAPSE_URL=http://127.0.0.1:$ordinary WORDS_SYNAPSE_TLS_URL=https://localhost:$tls \
  WORDS_SYNAPSE_AUTHORITY=$run/authority.pem WORDS_SYNAPSE_LIMITED_URL=http://127.0.0.1:$limited \
  WORDS_SYNAPSE_DATABASE=$run/ordinary/synapse.db WORDS_SYNAPSE_VERSION="Synapse $version" "$@"
