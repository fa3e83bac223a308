// Prints the result of a torture run.

/** Upper ends of the histogram's classes, in ms. */
const CLASSES_MS = [50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 20_000];
const WIDEST_BAR = 40;
const SHOWN_STALLS = 3;

/** Prints the table and the histograms. Returns true if there was no fault. */
export function report({ figures, faults, delays, remarks }, { incidents, stalls, seed }) {
  const kinds = countBy(incidents, ({ what }) => what);
  console.log(`\nincidents: ${[...kinds].map(([what, count]) => `${what} ${count}×`).join(', ')}`);
  printTable(figures);
  console.log('faults');
  printTable(faults);
  for (const remark of remarks) console.log(remark);
  for (const [what, late] of Object.entries(delays)) printDelays(what, late);
  console.log(
    `timers of this nearly idle process were late by ${stalls.worst(SHOWN_STALLS).join('; ') || 'nothing'}; ${Math.round(stalls.slowMs)} ms were allowed for other programs`,
  );
  const total = Object.values(faults).reduce((sum, count) => sum + count, 0);
  console.log(total === 0 ? `no fault; seed ${seed}` : `${total} faults; seed ${seed}`);
  return total === 0;
}

function printTable(counts) {
  for (const [name, count] of Object.entries(counts)) console.log(`${String(count).padStart(9)}  ${name}`);
}

function printDelays(what, late) {
  if (late.length === 0) return;
  const sorted = [...late].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  console.log(`${what} after ${at(0.5)} ms (median), ${at(0.99)} ms (99 %), ${at(1)} ms (maximum)`);
  const counts = countBy(sorted, (ms) => CLASSES_MS.find((limit) => ms <= limit) ?? Number.POSITIVE_INFINITY);
  const most = Math.max(...counts.values());
  for (const limit of [...CLASSES_MS, Number.POSITIVE_INFINITY]) {
    const count = counts.get(limit) ?? 0;
    const name = limit === Number.POSITIVE_INFINITY ? 'more' : `≤ ${limit} ms`;
    console.log(
      `${name.padStart(12)} ${String(count).padStart(6)} ${'█'.repeat(Math.ceil((count / most) * WIDEST_BAR))}`,
    );
  }
}

function countBy(list, keyOf) {
  const counts = new Map();
  for (const item of list) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
