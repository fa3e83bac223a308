import { Worker } from 'node:worker_threads';

/** Requests that a flood sends, all alike but for their bodies. */
export interface Flood {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  /** The bodies, in turns. */
  bodies?: (string | Uint8Array)[];
  /** How many requests in all. */
  count: number;
  /** How many at the same time; all of them unless given. */
  atOnce?: number;
  /** After so many ms a request is given up, by closing its connection. */
  giveUpMs?: number;
}

// In a thread of its own, so that what measures others is not slowed down by the sending.
const SENDER = `
const { parentPort, workerData } = require('node:worker_threads');
const http = require('node:http');
const { url, method = 'POST', headers = {}, bodies = [''], count, atOnce = count, giveUpMs = 60000 } = workerData;
const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
const statuses = {};
let next = 0;
const send = () => new Promise((resolve) => {
  const body = bodies[next++ % bodies.length];
  const done = (status) => { clearTimeout(timer); statuses[status] = (statuses[status] ?? 0) + 1; resolve(); };
  const request = http.request(url, { method, agent, headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers } }, (response) => {
    response.resume().on('end', () => done(response.statusCode)).on('error', () => done(0));
  });
  request.on('error', () => done(0));
  const timer = setTimeout(() => request.destroy(), giveUpMs);
  request.end(body);
});
const lane = async () => { while (next < count) await send(); };
Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane)).then(() => { agent.destroy(); parentPort.postMessage(statuses); });
`;

/** Sends all of it, and answers how many got which status; 0 is for those that got none. */
export function flood(attack: Flood): Promise<Record<string, number>> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(SENDER, { eval: true, workerData: attack, execArgv: [] });
    worker.once('message', (statuses) => {
      resolve(statuses);
      void worker.terminate();
    });
    worker.once('error', reject);
  });
}
