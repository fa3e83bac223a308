// node scripts/healthy.mjs api|worker: exits with 0 if the process of its container is healthy: the API is ready, or the worker has
// touched ALIVE_FILE within half a minute. For the health checks of containers.
import { statSync } from 'node:fs';

const { PORT = '8080', ALIVE_FILE = '/tmp/alive' } = process.env;
const checks = {
  api: async () => (await fetch(`http://127.0.0.1:${PORT}/readyz`, { signal: AbortSignal.timeout(4_000) })).ok,
  worker: async () => Date.now() - statSync(ALIVE_FILE).mtimeMs < 30_000,
};
const check = checks[process.argv[2]];
if (!check) {
  console.error('usage: node scripts/healthy.mjs api|worker');
  process.exit(64);
}
const isHealthy = await check().catch(() => false);
process.exit(isHealthy ? 0 : 1);
