// The result of `npm run admin -- verify`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const VIOLATED = 3;

/** The number of rows that violate an invariant, with a line for each violated invariant. */
export function verifyTables({ mysqlUrl, redisUrl, folder }) {
  const env = { ...process.env, MYSQL_URL: mysqlUrl, REDIS_URL: redisUrl, DATA_DIR: folder };
  const args = [join(root, 'dist/src/admin/index.js'), '--json', 'verify', '--quiet'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 120_000 });
  if (status !== 0 && status !== VIOLATED) throw new Error(`verify ended with ${status}: ${stderr}`);
  const { checks, violations, results } = JSON.parse(stdout);
  return {
    checks,
    violations,
    lines: results.map(({ name, violations: count, examples }) => `${name}: ${count}, such as ${examples.join(', ')}`),
  };
}
