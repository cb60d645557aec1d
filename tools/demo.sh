#!/bin/sh
# Shows the main job in a scratch workspace: archive a conversation, find it again, read it on a site.
# Usage: tools/demo.sh [TRANSCRIPT]   (none: the sample written for this project)
set -eu
cd "$(dirname "$0")/.."

sample=samples/claude-code/-home-linh-shop/5d0c7a52-3f0e-4b7e-9a41-2c6f8e1b7d90.jsonl
transcript=${1:-$sample}
feature=payment-retry
[ "$transcript" = "$sample" ] || feature=my-conversation
workspace=${DEMO_WORKSPACE:-demo}

step() { printf '\n\033[1m%s\033[0m\n' "$1"; }
run() {
  printf '$'
  for word in "$@"; do case $word in *' '*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac; done
  printf '\n'
  "$@"
}

rm -rf "$workspace"
mkdir -p "$workspace/.awf-archive"
# The vault, which keeps the source's own bytes, lies in the user's data folder; the demo's stays with the demo.
AWF_ARCHIVE_DATA_HOME=$(cd "$workspace" && pwd)/data
export AWF_ARCHIVE_DATA_HOME

step "1. Archive one conversation"
run awf-archive checkpoint --workspace "$workspace" --transcript "$transcript" --feature "$feature"

step "2. What is in the archive"
run awf-archive list --workspace "$workspace"

if [ "$transcript" = "$sample" ]; then
  step "3. Find it again: Vietnamese typed without its marks, Chinese, English"
  run awf-archive search --workspace "$workspace" --limit 2 'ha tang cang it cang tot'
  run awf-archive search --workspace "$workspace" --limit 2 '指数退避'
  run awf-archive search --workspace "$workspace" --limit 2 'exponential backoff'
else
  step "3. Find it again: awf-archive search --workspace $workspace WORDS"
fi

step "4. Build the site"
run awf-archive site build --workspace "$workspace"

step "5. Prove that nothing was lost"
run awf-archive verify --workspace "$workspace"

step "The archive: $workspace/.claude/spec-workflow/specs/$feature/.context"
step "Open in a browser: $(cd "$workspace" && pwd)/.awf-archive/site/index.html"
