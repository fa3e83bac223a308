import { Worker } from 'node:worker_threads';

/** The requests of a flood, which differ only in their bodies. */
export interface Flood {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  /** The bodies, used cyclically. */
  bodies?: (string | Uint8Array)[];
  /** The total number of requests. */
  count: number;
  /** The number of simultaneous requests; all by default. */
  atOnce?: number;
  /** After so many ms a request is aborted by closing its connection. */
  giveUpMs?: number;
}

// In a separate thread, so that sending does not slow down the measurements.
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
const sendAll = async () => { while (next < count) await send(); };
Promise.all(Array.from({ length: Math.min(atOnce, count) }, sendAll)).then(() => { agent.destroy(); parentPort.postMessage(statuses); });
`;

/** Sends all requests and returns their number by status; 0 is for those without a response. */
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
