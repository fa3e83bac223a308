#!/bin/sh
# Becomes an API process or a worker, in the folder that has dist/:
#   sh scripts/launch.sh api|worker [arguments of node, instead of the built file]
#
# This is the only place that names the V8 options of the processes. node must get them at its start: changed later, the
# sizes of the heap have no effect, and other options make some versions of V8 crash. The shell replaces itself by node,
# so signals reach node and no process waits above it. Options that this node does not know are left out.
set -eu

# --max-old-space-size: V8 lets a heap that may become large grow before it collects garbage. Without this limit an API
#   process took 350 MB under load and a worker 320, with it 222 and 189, at the same rate.
# --heap-growing-percent: the old space is collected after it has grown by 50 %, which takes a tenth less time of the API
#   process than 15 %. Under full load API and worker take 278 and 280 MB with Node 24, and 222 and 237 MB with Node 20.
#   Do not add --single-threaded-gc: with it, V8 of Node 24 keeps the pages that it has freed, 100 MB of an API process and
#   60 of a worker, and the processor time is the same.
# --no-allocation-site-pretenuring: V8 allocates objects among the old ones if it expects them to live long. Under load
#   it came to expect that of requests and responses (decision 52).
options='--max-old-space-size=1024 --no-allocation-site-pretenuring --heap-growing-percent=50'

case ${1:-} in
api)
  file=dist/src/api/server.js
  # Relative to bare node:http, five API processes reached 0.23 to 0.29 with 16 MB for young objects, 0.23 to 0.28 with 8
  # MB, where batches took half as much processor time again, and 0.17 to 0.26 with 32 MB.
  options="$options --min-semi-space-size=16 --max-semi-space-size=16"
  ;;
worker)
  file=dist/workers/index.js
  # With 16 MB, the data of an evaluation pass outlives two collections of young objects and fills the old space: 1,000
  # points cost 12.3 ms of processor time, and 9.3 ms with 32 MB. One thread for compilation instead of four saves 9 MB.
  # It would be too slow in an API process, where a single upload took a third more.
  options="$options --min-semi-space-size=32 --max-semi-space-size=32 --v8-pool-size=1"
  ;;
*)
  echo 'usage: sh scripts/launch.sh api|worker [arguments of node]' >&2
  exit 64
  ;;
esac
shift

# node rejects unknown options before it prints its version, which takes 3 ms.
is_known() {
  node "$@" --version >/dev/null 2>&1
}

# shellcheck disable=SC2086
if ! is_known $options; then
  known=
  for option in $options; do
    if is_known "$option"; then known="$known $option"; else echo "node does not know $option: starting without it" >&2; fi
  done
  options=$known
fi

[ $# -gt 0 ] || set -- "$file"
# shellcheck disable=SC2086
exec node $options "$@"
