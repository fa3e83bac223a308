// Commands for operators, run on the servers of the torture.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const MOST_MS = 300_000;

/** Starts a command, and returns its process and a promise of `{ status, stdout, stderr }`. */
export function startAdmin({ mysqlUrl, redisUrl, folder }, args, settings = {}) {
  const env = { ...process.env, MYSQL_URL: mysqlUrl, REDIS_URL: redisUrl, DATA_DIR: folder, ...settings };
  const command = [join(root, 'dist/src/admin/index.js'), '--json', ...args];
  let child;
  const ended = new Promise((resolve) => {
    child = execFile(process.execPath, command, { env, timeout: MOST_MS }, (error, stdout, stderr) =>
      resolve({ status: error ? error.code : 0, stdout, stderr }),
    );
  });
  return { child, ended };
}

/** The report of a command that ends with one of these codes. */
export async function admin(cluster, args, { settings, codes = [0] } = {}) {
  const { status, stdout, stderr } = await startAdmin(cluster, args, settings).ended;
  if (!codes.includes(status)) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}
