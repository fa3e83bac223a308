/**
 * V8's threads that look for garbage compete with MySQL and the other processes for processors, so both kinds of process look for it in the
 * thread that makes it, and their old space is looked through after it has grown by 15 %, which keeps them below 250 MB.
 *
 * V8 puts what it expects to live long among its old objects at once. Under load it came to expect that of requests and responses, in some
 * processes and not in others. Until all old objects are looked through, such a one keeps alive what it refers to, and so on: an API process made
 * 7 MB of old objects a second that way, and now makes 2.
 *
 * With V8's own room for young objects ten API processes reached, of bare node:http, 0.19 to 0.28 with single points
 * without a trigger (median 0.21), and five with a fixed 16 MB 0.23 to 0.29 (0.24). With 8 MB it was 0.23 to 0.28, and batches took
 * half as much again of the process; with 32 MB it was 0.17 to 0.26.
 */
const API_OPTIONS = [
  '--single-threaded-gc',
  '--no-allocation-site-pretenuring',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--heap-growing-percent=15',
];

/**
 * With 16 MB for young objects, what a turn holds until its commit outlives two collections of them, and fills the old space: 1,000
 * points cost 12.3 ms of processor time, of which a quarter was garbage, and with 32 MB 9.3 ms. A worker keeps below the 250 MB it
 * may have, at the same rate: full load takes 255 MB at most where the old space grows by 30 % before it is looked through, 234 with
 * 15 %, and 225 with one thread for compilation instead of four, each with memory of its own. In an API process that thread would be too slow: a
 * single upload took a third more.
 */
const WORKER_OPTIONS = [
  '--single-threaded-gc',
  '--no-allocation-site-pretenuring',
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--heap-growing-percent=15',
  '--v8-pool-size=1',
];

/**
 * Options of node for a process of the platform, by its file in `dist`; Dockerfile, docker-compose.yml, package.json and the systemd
 * units have the same. V8 lets a heap that may become large grow before it looks for garbage: with its own limits an API
 * process took 350 MB under load and a worker 320, with this one 222 and 189, at the same rate.
 */
export function nodeOptions(file) {
  return ['--max-old-space-size=1024', ...(file.includes('workers/') ? WORKER_OPTIONS : API_OPTIONS)];
}
