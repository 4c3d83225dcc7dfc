# Runs a command with the stand-in beside it, where OFFLINE is set in a network of its own that has only loopback.
# The first argument is the stand-in.
set -eu
standin=$1; shift
if [ -n "${OFFLINE:-}" ]; then ip link set lo up; fi
node "$standin" > "$STANDIN_ADDRESS" &
pid=$!
trap 'kill $pid' EXIT
tries=0
until [ -s "$STANDIN_ADDRESS" ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || { echo "the stand-in did not start" >&2; exit 70; }
  sleep 0.1
done
STANDIN_URL=$(head -n 1 "$STANDIN_ADDRESS")
export STANDIN_URL
status=0
"$@" || status=$?
exit $status
