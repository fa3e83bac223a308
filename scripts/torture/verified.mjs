// The result of `npm run admin -- verify`.
import { admin } from './admin.mjs';

const VIOLATED = 3;

/** The number of rows that violate an invariant, with a line for each violated invariant. */
export async function verifyTables(cluster) {
  const { checks, violations, results } = await admin(cluster, ['verify', '--quiet'], { codes: [0, VIOLATED] });
  return {
    checks,
    violations,
    lines: results.map(({ name, violations: count, examples }) => `${name}: ${count}, such as ${examples.join(', ')}`),
  };
}
