// The result of `npm run admin -- verify`.
import { admin } from './admin.mjs';

const VIOLATED = 3;
/** What is set aside is judged apart: some of it is meant to be. */
const SET_ASIDE = 'no-work-is-set-aside';

/** The number of rows that violate an invariant, with a line for each violated invariant. */
export async function verifyTables(cluster) {
  const { checks, results: all } = await admin(cluster, ['verify', '--quiet'], { codes: [0, VIOLATED] });
  const results = all.filter(({ name }) => name !== SET_ASIDE);
  return {
    checks,
    violations: results.reduce((sum, { violations }) => sum + violations, 0),
    lines: results.map(({ name, violations: count, examples }) => `${name}: ${count}, such as ${examples.join(', ')}`),
  };
}
