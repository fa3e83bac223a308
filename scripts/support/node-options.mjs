/**
 * V8's threads that look for garbage compete with MySQL and the API for processors; a worker without them does a tenth more. With
 * its usual 16 MB for young objects, what a turn holds until its commit outlives two collections of them, and fills the old
 * space: 1,000 points cost 12.3 ms of processor time, of which a quarter was garbage, and with 32 MB 9.3 ms. The last two keep a
 * worker below the 250 MB it may have, at the same rate: full load takes 255 MB at most where the old space grows by 30 % before it is
 * looked through, 234 with 15 %, and 225 with one thread for compilation instead of four, each with memory of its own.
 */
const WORKER_OPTIONS = [
  '--single-threaded-gc',
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
  return ['--max-old-space-size=1024', ...(file.includes('workers/') ? WORKER_OPTIONS : [])];
}
