import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A MySQL and a Redis of a test's own, whose settings it may change; its user may do everything. */
export interface PrivateServers {
  mysqlUrl: string;
  redisUrl: string;
  close(): Promise<void>;
}

const SCRIPT = pathToFileURL(join(__dirname, '../../scripts/infrastructure.mjs')).href;
const CODE = `
  import { bringUpInfrastructure } from ${JSON.stringify(SCRIPT)};
  const { stop, mysqlUrl, redisUrl } = await bringUpInfrastructure({ throwaway: true, env: {}, log: () => {} });
  process.once('SIGTERM', () => stop().then(() => process.exit(0)));
  setInterval(() => {}, 1000);
  process.stdout.write(JSON.stringify({ mysqlUrl, redisUrl }) + '\\n');`;

/** Starts both in a throwaway folder, until `close` or the end of this process. */
export async function startPrivateServers(): Promise<PrivateServers> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', CODE], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  if (!Buffer.isBuffer(text)) throw new Error('the private servers did not start');
  const urls: { mysqlUrl: string; redisUrl: string } = JSON.parse(text.toString());
  return {
    ...urls,
    close: async () => {
      const ended = once(child, 'exit');
      if (child.kill('SIGTERM')) await ended;
    },
  };
}
