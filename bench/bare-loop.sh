#!/bin/sh
# What anybody would write first: make a worktree, let the author build, then diff, review, fix and commit until approved.
# bare-loop.sh ROUNDS WORKER REVIEWER WORKTREE, in the user's repository. No journal, no proof, no limits, no safety.
set -e
rounds=$1 worker=$2 reviewer=$3 tree=$4
git worktree add --quiet -b bare/loop "$tree" main
cd "$tree"
export VOLLEY_ROUND=1 VOLLEY_ROLE=author VOLLEY_RESULT="$tree.result"
echo 'Add the parts.' | sh "$worker"
git add --all
git commit --quiet --message 'Add the parts'
while :; do
  git diff main...HEAD > "$tree.diff"
  VOLLEY_ROLE=reviewer sh "$reviewer" < "$tree.diff"
  case $(cat "$VOLLEY_RESULT") in *'"passed":true'*) break ;; esac
  [ "$VOLLEY_ROUND" -lt "$rounds" ] || exit 2
  VOLLEY_ROLE=fixer sh "$worker" < "$VOLLEY_RESULT"
  git add --all
  git commit --quiet --message "fix: address code review round $VOLLEY_ROUND"
  VOLLEY_ROUND=$((VOLLEY_ROUND + 1))
done
