#!/bin/sh
# Prints the Secret that privity.yaml mounts, from the files in deploy/secrets or in the folder given as argument:
#   sh deploy/kubernetes/secret.sh | kubectl apply -f -
# After a change of a file, run it again, then: kubectl rollout restart deployment/privity
set -eu
folder="${1:-$(dirname "$0")/../secrets}"
# Only the secrets that the server reads: the superuser's password of makeSecrets.sh is left out.
names='server_secret founder_password metrics_token database_url valkey_url s3_access_key_id s3_secret_access_key'

# Check all files before printing, so that kubectl gets the whole manifest or nothing.
for name in $names; do
  [ -s "$folder/$name" ] && continue
  echo "$folder/$name is missing or empty" >&2
  exit 1
done

printf 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: privity\ntype: Opaque\ndata:\n'
for name in $names; do
  printf '  %s: %s\n' "$name" "$(base64 < "$folder/$name" | tr -d '\n')"
done
