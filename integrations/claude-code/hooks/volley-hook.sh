#!/bin/sh
# Called by Claude Code with its JSON on standard input; what volley prints is the answer.
if command -v volley >/dev/null 2>&1; then
  exec volley hook "$1"
fi
if [ "$1" = stop ]; then
  echo '{"systemMessage":"Volley is not in PATH, so nothing was reviewed. Install it (npm install --global volley), or disable its plugin."}'
fi
