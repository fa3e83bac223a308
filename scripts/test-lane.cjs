'use strict';
// Gives each of mocha's processes, which run test files in parallel, separate servers, which it can stop, empty or fill
// without disturbing the others. A process that replaces a crashed one takes over its servers.
const lanes = JSON.parse(process.env.TEST_LANES ?? '[]');
const worker = process.env.MOCHA_WORKER_ID;
if (worker !== undefined && lanes.length > 0) Object.assign(process.env, lanes[Number(worker) % lanes.length]);
