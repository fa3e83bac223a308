import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How long a file is thought to take that has never been measured. */
const UNKNOWN_SECONDS = 10;
/** Each file of these folders loads every core, so `npm test` has only some of them, and the night all. */
const FOLDERS = {
  /** The ways in and out that most tenants use. */
  'test/attacks/': ['deliveries', 'mqtt', 'requests', 'uploads'],
  /** What most people do: look at sensors and alerts, make rules, upload, sign in, follow a link. */
  'test/browser/': [
    ...['console', 'console-alerts', 'console-sensor-state', 'console-trigger', 'console-rule-builder'],
    ...['console-upload', 'console-push', 'consent-pages', 'link-pages', 'operators-page'],
  ],
};
const attacks = 'test/attacks/';
const TORTURE = 'test/flow/platform/torture.test.ts';
/** Started first, so that no long file is left over at the end. */
const longest = [
  'test/simulation/simulation.test.ts',
  'test/flow/alerts/alerts.test.ts',
  'test/api/platform/hostile-input.test.ts',
  'test/api/people/credentials.test.ts',
];
/** What `npm run test:night` runs instead of `npm test`, besides `FOLDERS`. */
const nightly = [
  TORTURE,
  'test/flow/alerts/many-ends.test.ts',
  'test/flow/archives/killed-workers.test.ts',
  'test/flow/archives/rates.test.ts',
  'test/flow/platform/cluster.test.ts',
  'test/flow/platform/poison.test.ts',
  'test/flow/platform/release.test.ts',
  'test/flow/sensors/walking-recognition.test.ts',
  'test/unit/notifications/delivery/channels/forgotten-members.test.ts',
];
/** They run in `npm test`, and at night with more seeds. */
const deeper = ['test/simulation/simulation.test.ts'];

/**
 * The test files of a run: the parallel ones, in the order in which they start, and the ones that run alone, because they
 * measure times of a loaded platform: torture and, at night, all attacks. `isNight` selects those of the night, `shard`
 * one of several parts that take equally long, `only` those of a list.
 */
export function testFiles(root, { isNight = false, shard, only } = {}) {
  const all = allTests(root);
  const daily = Object.entries(FOLDERS).flatMap(([folder, names]) => names.map((name) => `${folder}${name}.test.ts`));
  for (const file of [...longest, ...nightly, ...daily])
    if (!all.includes(file)) throw new Error(`scripts/support/test-files.mjs names ${file}`);
  const isOfFolder = (file) => Object.keys(FOLDERS).some((folder) => file.startsWith(folder));
  const isOfNight = (file) => nightly.includes(file) || isOfFolder(file);
  const isOfRun = (file) =>
    isNight ? isOfNight(file) || deeper.includes(file) : daily.includes(file) || !isOfNight(file);
  const isAlone = (file) => file === TORTURE || (isNight && file.startsWith(attacks));
  const wanted = shardOf(root, (only ?? all).filter(isOfRun), shard);
  const together = [...longest, ...all.filter((file) => !longest.includes(file))].filter(
    (file) => wanted.includes(file) && !isAlone(file),
  );
  return {
    together: spread(together, isOfFolder),
    alone: wanted.filter(isAlone),
  };
}

/** All test files. */
export function allTests(root) {
  return readdirSync(join(root, 'test'), { recursive: true })
    .map((name) => `test/${name}`)
    .filter((name) => name.endsWith('.test.ts'))
    .sort();
}

/** The files of the part `number` of `of`, so that all parts take equally long by what each file took before. */
function shardOf(root, files, shard) {
  if (!shard) return files;
  const seconds = JSON.parse(readFileSync(join(root, 'test/durations.json'), 'utf8'));
  const parts = Array.from({ length: shard.of }, () => ({ files: [], seconds: 0 }));
  const secondsOf = (file) => seconds[file] ?? UNKNOWN_SECONDS;
  for (const file of [...files].sort((a, b) => secondsOf(b) - secondsOf(a) || a.localeCompare(b))) {
    const shortest = parts.reduce((least, part) => (part.seconds < least.seconds ? part : least));
    shortest.files.push(file);
    shortest.seconds += secondsOf(file);
  }
  return parts[shard.number - 1].files;
}

/** The same files, with the marked ones spread evenly, so that they do not run at the same time. */
function spread(files, isMarked) {
  const marked = files.filter(isMarked);
  const others = files.filter((file) => !isMarked(file));
  const each = Math.ceil(others.length / (marked.length + 1));
  const between = others.flatMap((file, at) => {
    const next = at > 0 && at % each === 0 ? marked[at / each - 1] : undefined;
    return next ? [next, file] : [file];
  });
  return [...between, ...marked.filter((file) => !between.includes(file))];
}
