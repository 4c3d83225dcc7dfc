#!/bin/sh
# Any machine with docker: check the change on this branch against main. Arguments are handed on to mcp-gates run.
set -eu
exec docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/w" --workdir /w ghcr.io/org/mcp-gates:v1 \
  run --baseline "${BASE:-origin/main}" --gates-from base --fail-on-weakened "$@"
