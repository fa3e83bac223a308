'use strict';
// Gives each of mocha's processes, which run test files in parallel, separate servers, which it can stop, empty or fill
// without disturbing the others. A process that replaces a crashed one takes over its servers.
const servers = JSON.parse(process.env.TEST_SERVERS ?? '[]');
const worker = process.env.MOCHA_WORKER_ID;
if (worker !== undefined && servers.length > 0) Object.assign(process.env, servers[Number(worker) % servers.length]);
