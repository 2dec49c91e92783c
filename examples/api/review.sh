#!/usr/bin/env bash
# Has a branch reviewed and fixed by Volley, follows the loop and prints the verdict. Exits with 0 only if it is approved.
#   volley serve              in one terminal, and in another one
#   bash review.sh refunds    without a branch, the current one
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
echo '{}' >"$folder/loop"

# A part of the JSON on standard input.
part() { node -p "JSON.parse(fs.readFileSync(0)).$1 ?? ''"; }

# Asks the API: a path, and what else curl is told. The token goes through a pipe: every program can read what stands on a command line.
ask() {
  local status
  status="$(curl --silent --show-error --output "$folder/answer" --write-out '%{http_code}' "$url/api/$1" "${@:2}" \
    --config <(printf 'header = "Authorization: Bearer %s"\n' "$(<"$token_file")"))" || return
  case "$status" in
    2*) cat "$folder/answer" ;;
    304) ;; # It is what it was.
    *) echo "$(part message <"$folder/answer") $(part remedy <"$folder/answer")" >&2 && return 1 ;;
  esac
}

server="$(volley serve --running --json)" || { part remedy <<<"$server" >&2 && exit 1; }
url="$(part url <<<"$server")"
token_file="$(part tokenFile <<<"$server")"

order="$(node -p 'JSON.stringify({ kind: "review", fix: true, change: { kind: "branch", branch: process.argv[1] } })' "${1:-HEAD}")"
started="$(ask tasks --header 'Content-Type: application/json' --data "$order")"
id="$(part 'loops[0]?.id' <<<"$started")"
[ -n "$id" ] || { part note <<<"$started" >&2 && exit 1; }
echo "Task $id: $(part 'loops[0].task.title' <<<"$started")"

state=''
until [ "$(part atRest <"$folder/loop")" = true ]; do
  # Only what has changed since the last answer travels again.
  ask "loops/$id" --etag-compare "$folder/etag" --etag-save "$folder/etag" >"$folder/news"
  [ -s "$folder/news" ] || { sleep 1 && continue; }
  mv "$folder/news" "$folder/loop"
  last="$state" state="$(part state <"$folder/loop")"
  [ "$last" = "$state" ] || echo "  $state"
done

node -e '
const { id, findings, approval, finalVerdict, state, next } = JSON.parse(fs.readFileSync(0));
for (const one of findings.filter(({ blocking }) => blocking))
  console.log(`  ✗ ${one.id} ${one.severity} ${one.file}:${one.line} ${one.description}`);
console.log(`${approval === null ? `✗ ${finalVerdict ?? state}` : `✓ APPROVED by ${approval.by}`}, next: ${next ?? `volley show ${id}`}`);
process.exitCode = approval === null ? 1 : 0;
' <"$folder/loop"
