#!/bin/sh
# Prints the Secret that privity.yaml mounts, made of the files in deploy/secrets or in the folder given as argument:
#   sh deploy/kubernetes/secret.sh | kubectl apply -f -
# Run it again after a change of a file, then: kubectl rollout restart deployment/privity
set -eu
folder="${1:-$(dirname "$0")/../secrets}"
# No more than the server reads: the superuser's password of makeSecrets.sh stays outside.
names='server_secret founder_password metrics_token database_url valkey_url s3_access_key_id s3_secret_access_key'

# All are checked before the first line is printed, so that kubectl gets the whole manifest or nothing.
for name in $names; do
  [ -s "$folder/$name" ] && continue
  echo "$folder/$name is missing or empty" >&2
  exit 1
done

printf 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: privity\ntype: Opaque\ndata:\n'
for name in $names; do
  printf '  %s: %s\n' "$name" "$(base64 < "$folder/$name" | tr -d '\n')"
done
