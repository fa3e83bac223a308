import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** They measure times of a loaded platform, so they run alone. The other files run in parallel. */
const alone = ['test/attacks/heavy-neighbour.test.ts', 'test/flow/torture.test.ts'];
/** Each loads the machine. */
const attacks = 'test/attacks/';
/** Started first, so that no long file is left over at the end. */
const longest = [
  'test/simulation/simulation.test.ts',
  'test/flow/cluster.test.ts',
  'test/flow/alerts.test.ts',
  'test/api/hostile-input.test.ts',
  'test/api/credentials.test.ts',
];

/** All test files: the parallel ones, in the order in which they start, and the ones that run alone. */
export function testFiles(root) {
  const all = readdirSync(join(root, 'test'), { recursive: true })
    .map((name) => `test/${name}`)
    .filter((name) => name.endsWith('.test.ts'))
    .sort();
  for (const file of [...longest, ...alone])
    if (!all.includes(file)) throw new Error(`scripts/support/test-files.mjs names ${file}`);
  const together = [...longest, ...all.filter((file) => !alone.includes(file) && !longest.includes(file))];
  return { together: spread(together, (file) => file.startsWith(attacks)), alone };
}

/** The same files, with the marked ones spread evenly, so that they do not run at the same time. */
function spread(files, isMarked) {
  const marked = files.filter(isMarked);
  const others = files.filter((file) => !isMarked(file));
  const each = Math.ceil(others.length / (marked.length + 1));
  return others.flatMap((file, index) => (index > 0 && index % each === 0 ? [marked[index / each - 1], file] : [file]));
}
