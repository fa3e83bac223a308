import assert from 'node:assert/strict';
import { LineReader, type ReadLines } from '../../../../src/gateways/protocols/line-protocol';
import { bySeries, type Series, type SeriesPoint } from '../../../../src/gateways/protocols/series';

const SIZE = 10 * 1024 * 1024;
/** Of the service. */
const AT_ONCE = { lines: 2_000, characters: 500_000 };
const MAX_LINES = 100_000;
/** A call, in the time that a loop over all characters takes. */
const MOST_AT_ONCE = 6;
/** All calls, in the time that the first tenth takes. In proportion to the length it is 10, to its square 100. */
const MOST = 30;
/** Processor time for points, in ms: many times what is measured. */
const MOST_MS = 5_000;

const filled = (pattern: string, start = '') => start + pattern.repeat((SIZE - start.length) / pattern.length);

const MOST_TRIES = 5;
/** Shorter work is lost in the time that a garbage collector or a compiler takes, in ms. */
const LEAST_MS = 5;

/** The longest call and the sum of all calls, in ms of processor time. */
interface Times {
  longest: number;
  sum: number;
}

function timesOf(text: string): Times {
  const lines: ReadLines = { points: [], wrong: [] };
  const reader = new LineReader({ text, broken: new Map() }, 'ns', Date.now());
  let [longest, sum] = [0, 0];
  while (!reader.isAtEnd && lines.points.length + lines.wrong.length <= MAX_LINES) {
    const took = cpuOf(() => reader.read(AT_ONCE, lines));
    longest = Math.max(longest, took);
    sum += took;
  }
  return { longest, sum };
}

/** A loop over the characters of a text, in ms of processor time. */
function loopOf(text: string): number {
  let sum = 0;
  const took = cpuOf(() => {
    for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
  });
  assert.ok(sum > 0);
  return took;
}

function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('hostile lines', function () {
  this.timeout(60_000);

  const texts: Record<string, string> = {
    'quotes alone': filled('"'),
    'quotes in names that open texts': filled('"a b"\n'),
    'texts that never end': filled('"a b="\n'),
    'texts that end in the next line': filled('a b="\n'),
    'texts that end in the next line, with more fields': filled('x",d=1 c="\n'),
    'texts that alternate': filled('x" ,c="\ny v=",d="'),
    'escaped quotes': filled('\\"', 'm v="'),
    'a text of 10 MB': `${filled('a', 'm v="')}"`,
    'backslashes alone': filled('\\'),
    'backslashes in a tag': filled('\\ ', 'm,a='),
    'a name of 10 MB': filled('a'),
    'a number of 10 MB': filled('1', 'm v='),
    'a time of 10 MB': filled('1', 'm v=1 '),
    'tags without an end': filled('a=b,', 'm,'),
    'one field a million times': filled('a=1,', 'm '),
    'fields without values': filled('a=,', 'm '),
    commas: filled(',', 'm '),
    spaces: filled(' '),
    'empty lines': filled('\n'),
    'comments with quotes': filled('#"\n'),
    'the shortest lines': filled('a a=1\n'),
    'wrong lines': filled('a\n'),
    'lines with thousands of fields': filled(`m ${'a=1,'.repeat(8_000)}a=1\n`),
    'new series in each line': Array.from(
      { length: 100_000 },
      (_, index) => `m,${'a=b,'.repeat(20)}z=${index} v=1`,
    ).join('\n'),
  };
  for (const [what, pattern] of Object.entries(texts)) {
    const text = pattern.split('\n', MAX_LINES).join('\n');
    it(`take time in proportion to their length: ${what}`, () => {
      const tenth = text.slice(0, text.length / 10);
      const measured = () => ({ loopMs: loopOf(pattern), tenthMs: timesOf(tenth).sum, ...timesOf(text) });
      const isWithin = ({ loopMs, tenthMs, longest, sum }: ReturnType<typeof measured>) =>
        longest < MOST_AT_ONCE * loopMs && sum < MOST * Math.max(tenthMs, LEAST_MS);
      const tries = [measured()];
      // A collection of garbage, which other tests of the process have left, takes as long as many calls.
      while (tries.length < MOST_TRIES && !tries.some(isWithin)) tries.push(measured());
      assert.ok(tries.some(isWithin), JSON.stringify(tries));
    });
  }

  const series: Series = {
    ...{ namespace: 'influx', name: 'm', title: 'm', source: 'influx', dataType: 'float', tags: {}, units: {} },
  };
  const points = (
    dateOf: (index: number) => number,
    valueAt: (index: number) => string = String,
    belowOf = (index: number) => index,
  ): SeriesPoint[] =>
    Array.from({ length: 100_000 }, (_, index) => ({
      series,
      value: valueAt(index),
      dateMs: dateOf(index),
      belowNs: belowOf(index),
    }));
  const one = () => 5;
  const dates: Record<string, { given: SeriesPoint[]; kept: number }> = {
    'one date': { given: points(one), kept: 100_000 },
    'one exact time and value': { given: points(one, () => '1', one), kept: 1 },
    'one exact time, and different values': { given: points(one, String, one), kept: 1 },
    'one exact time, and different fields': {
      given: points(one, (index) => `{"field${index % 3_000}":${index}}`, one),
      kept: 1,
    },
    'two dates': { given: points((index) => index % 2), kept: 100_000 },
    'dates that descend': { given: points((index) => -index), kept: 100_000 },
    'dates that fill gaps': { given: points((index) => (index * 7_919) % 50_000), kept: 100_000 },
  };
  for (const [what, { given, kept }] of Object.entries(dates)) {
    it(`are dated apart in time in proportion to their number: ${what}`, () => {
      let all: number[] = [];
      const took = cpuOf(() => {
        all = bySeries(given).flatMap((each) => each.points.map(({ dateMs }) => dateMs ?? 0));
      });
      assert.ok(took < MOST_MS, `${took} ms`);
      assert.deepEqual([all.length, new Set(all).size], [kept, kept]);
    }).retries(2);
  }
});
