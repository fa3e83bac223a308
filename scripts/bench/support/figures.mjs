// How the benchmarks measure and print their figures.

/** Runs `streams` loops of `work` for `ms`; returns the sum of their results per second. */
export async function rate(ms, streams, work) {
  const start = performance.now();
  const sums = await Promise.all(
    Array.from({ length: streams }, async (_, stream) => {
      let sum = 0;
      while (performance.now() - start < ms) sum += await work(stream);
      return sum;
    }),
  );
  return (sums.reduce((a, b) => a + b, 0) * 1000) / (performance.now() - start);
}

/** The duration of each of `count` calls in ms, one after the other. */
export async function timesOf(count, call) {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    await call(index);
    times.push(performance.now() - start);
  }
  return times;
}

/** Calls `work` for each item, for at most `atOnce` at a time. */
export async function inParallel(items, atOnce, work) {
  const waiting = [...items.entries()];
  const results = [];
  const take = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  return results;
}

/**
 * Rows by name. A rate has one sample per round (`add`), a duration has all its times (`addTimes`); `against` names the
 * row to compare with.
 */
export class Rows {
  #rows = new Map();

  add(what, unit, sample, against) {
    this.#row(what, { unit, against, isTime: false }).samples.push(sample);
  }

  addTimes(what, times, against) {
    this.#row(what, { unit: 'ms', against, isTime: true }).samples.push(...times);
  }

  list() {
    return [...this.#rows.values()].map((row) => ({ ...row, ratio: this.#ratio(row) }));
  }

  /** For rates: the median of the ratios to the limit of the same round. For times: the ratio of the medians. */
  #ratio({ samples, against, isTime }) {
    const limit = this.#rows.get(against)?.samples;
    if (!limit) return undefined;
    if (isTime) return { of: against, median: at(samples, 0.5) / at(limit, 0.5) };
    const ratios = samples.map((sample, round) => sample / limit[round]);
    return { of: against, min: at(ratios, 0), median: at(ratios, 0.5), max: at(ratios, 1) };
  }

  #row(what, details) {
    const row = this.#rows.get(what) ?? { what, ...details, samples: [] };
    this.#rows.set(what, row);
    return row;
  }
}

/** The quantile of the values, such as 0.5 for the median. */
export function at(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The lines of the tables: rates with minimum, median and maximum; times with median, 90 % and 99 %. */
export function tableOf(benches) {
  return benches.flatMap(({ name, rows }) => {
    const lines = [`\n${name}`];
    for (const isTime of [false, true]) {
      const some = rows.filter((row) => row.isTime === isTime);
      if (some.length === 0) continue;
      lines.push(line('', isTime ? ['median', '90 %', '99 %'] : ['min', 'median', 'max'], '', 'ratio'));
      lines.push(...some.map(lineOf));
    }
    return lines;
  });
}

function lineOf({ what, unit, samples, isTime, ratio }) {
  const shares = isTime ? [0.5, 0.9, 0.99] : [0, 0.5, 1];
  return line(
    what,
    shares.map((share) => format(at(samples, share))),
    unit,
    ratio ? `${range(ratio)} of ${ratio.of}` : '',
  );
}

function line(what, figures, unit, ratio) {
  return `  ${what.padEnd(58)}${figures.map((text) => text.padStart(10)).join('')} ${unit.padEnd(11)}${ratio}`.trimEnd();
}

function range({ min, median, max }) {
  return min === undefined ? twoDigits(median) : `${twoDigits(median)} (${twoDigits(min)}–${twoDigits(max)})`;
}

function twoDigits(ratio) {
  return ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2);
}

function format(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 10 ? 1 : 2);
}
