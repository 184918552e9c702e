#!/bin/sh
# Creates the secrets of compose.yaml in deploy/secrets, each once: existing files stay. Only the owner can open the
# folder; the files in it are readable by any user, because containers mount them one by one under users of their own.
set -eu
umask 077
folder="$(dirname "$0")/secrets"
mkdir -p "$folder"
chmod 700 "$folder"

random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# Renames a file to its final name only when it is complete.
keep() {
  [ -e "$folder/$1" ] && return
  printf '%s' "$2" > "$folder/.$1.partial"
  chmod 444 "$folder/.$1.partial"
  mv "$folder/.$1.partial" "$folder/$1"
  echo "made $folder/$1"
}

for name in server_secret founder_password metrics_token postgres_password database_password valkey_password s3_access_key_id s3_secret_access_key; do
  keep "$name" "$(random)"
done
keep database_url "postgresql://privity:$(cat "$folder/database_password")@postgres:5432/privity"
keep valkey_url "redis://:$(cat "$folder/valkey_password")@valkey:6379"
# The server's keys can read, write and list one bucket, which the service `bucket` creates in SeaweedFS's shell.
keep s3_config "{\"identities\":[{\"name\":\"privity\",\"credentials\":[{\"accessKey\":\"$(cat "$folder/s3_access_key_id")\",\"secretKey\":\"$(cat "$folder/s3_secret_access_key")\"}],\"actions\":[\"Read:privity\",\"Write:privity\",\"List:privity\"]}]}"
