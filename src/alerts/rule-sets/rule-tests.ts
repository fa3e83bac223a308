import { setImmediate } from 'node:timers/promises';
import type { Mute } from '../../edge/mute';
import type { ByteBudget } from '../../fairness/byte-budget';
import type { FairSemaphore } from '../../fairness/fair-semaphore';
import { givenLabels } from '../../language/labels';
import { isTimeZone, TIME_ZONE_RULE } from '../../language/local-time';
import { MAX_VALUE_BYTES } from '../../language/sensor-value';
import { SensorWindows } from '../../language/windows/sensor-windows';
import { windowsOf } from '../../language/windows/written-windows';
import type { SensorZones } from '../../language/zones/sensor-zones';
import { BacktestAudience, type BacktestRecipient } from '../backtests/backtest-audience';
import { BacktestPace } from '../backtests/backtest-pace';
import { BacktestRun } from '../backtests/backtest-run';
import { BacktestWindows } from '../backtests/backtest-windows';
import { CAUSES } from '../rules/episode';
import { ruleOf } from '../rules/trigger-rule';
import type { Desired } from './desired-rules';
import { plannedThings } from './effect-subjects';
import type { Connection } from './entry-fields';
import type { RuleSet } from './read-rule-set';
import type { RuleSetExpectation, RuleSetTest } from './rule-sets.request';
import { timesOf } from './test-times';
import type { Place } from './yaml-document';

/** What a test expects and the live code does not do. */
export interface Difference extends Place {
  path: string;
  error: string;
}

export interface TestResult {
  name: string;
  trigger: string;
  differences: Difference[];
}

type DesiredTrigger = Desired['triggers'][number];

/** For all tests of a set. */
const TESTS_MS = 10_000;
const MOST_LISTED = 100_000;
const SENSOR_ID = 0;
const BOUNDS = { steps: 1_000_000, episodes: 100_000, listed: { count: MOST_LISTED, newest: false } };

/** Runs the tests of a rule set by the code of live data and deliveries, with nothing stored. */
export class RuleTests {
  constructor(
    private readonly computing: FairSemaphore<number>,
    private readonly workBudget: ByteBudget,
  ) {}

  async run(
    userId: number,
    set: RuleSet,
    desired: Desired,
    { names, zones }: { names: (id: number) => string; zones: SensorZones | undefined },
  ): Promise<TestResult[]> {
    const pause = () => this.computing.run(userId, () => setImmediate());
    const pace = new BacktestPace(performance.now() + TESTS_MS, pause);
    const windows = new BacktestWindows(pace, this.workBudget, userId);
    const planned = plannedThings(desired);
    const nameOf = (id: number) => {
      const entry = desired.notifications.find(
        ({ name, thing }) => (thing?.row.id ?? planned.idOf('notification', name)) === id,
      );
      return entry?.name ?? names(id);
    };
    const results: TestResult[] = [];
    try {
      for (const [index, test] of (set.tests ?? []).entries()) {
        const trigger = desired.triggers.find(({ name }) => name === test.trigger);
        if (!trigger) continue;
        const trial = new Trial(set, { test, path: `tests[${index}]` }, trigger, {
          pace,
          windows,
          planned,
          nameOf,
          zones,
        });
        results.push({ name: test.name, trigger: test.trigger, differences: await trial.run() });
      }
      return results;
    } finally {
      windows.release();
    }
  }
}

interface Working {
  pace: BacktestPace;
  windows: BacktestWindows;
  planned: ReturnType<typeof plannedThings>;
  nameOf: (notificationId: number) => string;
  zones: SensorZones | undefined;
}

class Trial {
  private readonly timezone: string;
  private readonly differences: Difference[] = [];

  constructor(
    private readonly set: RuleSet,
    private readonly written: { test: RuleSetTest; path: string },
    private readonly trigger: DesiredTrigger,
    private readonly working: Working,
  ) {
    const { test, path } = written;
    this.timezone = test.timezone ?? trigger.wanted.timezone ?? 'UTC';
    if (!isTimeZone(this.timezone)) throw set.text.mistake(`${path}.timezone`, TIME_ZONE_RULE);
  }

  async run(): Promise<Difference[]> {
    const { test, path } = this.written;
    const points = this.readPoints();
    const [first] = points;
    const times = this.timesOf(test.expect, `${path}.expect`, first?.dateMs);
    const startMs = Math.min(first?.dateMs ?? Number.POSITIVE_INFINITY, times[0] ?? 0);
    const audience = this.audience(first?.dateMs);
    const run = this.newRun(startMs, audience);
    let next = 0;
    for (const [index, expected] of test.expect.entries()) {
      const atMs = times[index] ?? startMs;
      const to = points.findIndex(({ dateMs }, at) => at >= next && dateMs > atMs);
      const due = points.slice(next, to < 0 ? points.length : to);
      next += due.length;
      // What the clock decides at that moment belongs to it.
      await run.pass({ points: due, untilMs: atMs + 1 });
      if (run.isOver) this.note(`${path}.expect[${index}]`, 'was not reached: the tests take too long');
      else this.compare(`${path}.expect[${index}]`, expected, { atMs, run, audience });
    }
    return this.differences;
  }

  private compare(
    path: string,
    { state, fires, resolves, severity, notified }: RuleSetExpectation,
    { atMs, run, audience }: { atMs: number; run: BacktestRun; audience: BacktestAudience },
  ): void {
    const isThen = (ms: number | null) => ms !== null && Math.floor(ms / 1000) === Math.floor(atMs / 1000);
    const present = run.stateOf(SENSOR_ID);
    const because = run.lastError === null ? '' : `; a point could not be evaluated: ${run.lastError}`;
    const times = (all: readonly (number | null)[]) => {
      const listed = all.flatMap((ms) => (ms === null ? [] : [this.clockOf(ms)]));
      return listed.length === 0 ? 'it did not until then' : `it did at ${listed.slice(-5).join(', ')}`;
    };
    if (state !== undefined && state !== present) this.note(`${path}.state`, `is ${present}, not ${state}${because}`);
    const fired = run.firings.map(({ dateMs }) => dateMs);
    if (fires === true && !fired.some(isThen))
      this.note(`${path}.fires`, `it does not fire then: ${times(fired)}${because}`);
    if (fires === false && fired.some(isThen)) this.note(`${path}.fires`, 'it fires then');
    const ended = run.episodes.map(({ endedMs }) => endedMs);
    if (resolves === true && !ended.some(isThen))
      this.note(`${path}.resolves`, `no episode ends then: ${times(ended)}${because}`);
    if (resolves === false && ended.some(isThen)) this.note(`${path}.resolves`, 'an episode ends then');
    const own = this.trigger.wanted.severity;
    if (severity !== undefined && severity !== own) this.note(`${path}.severity`, `is ${own}, not ${severity}`);
    if (notified === undefined) return;
    const sent = audience.deliveries.listed.filter(({ dateMs }) => isThen(dateMs));
    const got = namesOf(sent.map(({ notificationId }) => this.working.nameOf(notificationId)));
    if (got !== namesOf(notified)) this.note(`${path}.notified`, `is ${got}, not ${namesOf(notified)}${because}`);
  }

  private timesOf(list: readonly { at: number | string }[], path: string, fromMs?: number): number[] {
    const from = fromMs === undefined ? {} : { fromMs };
    return timesOf(this.set.text, { list, path, timezone: this.timezone, ...from });
  }

  private readPoints() {
    const { test, path } = this.written;
    const given = test.points ?? [];
    const times = this.timesOf(given, `${path}.points`);
    return given.map(({ value }, index) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
      if (Buffer.byteLength(text) > MAX_VALUE_BYTES) {
        throw this.set.text.mistake(`${path}.points[${index}].value`, `must be at most ${MAX_VALUE_BYTES} bytes`);
      }
      return { sensorId: SENSOR_ID, value: text, dateMs: times[index] ?? 0 };
    });
  }

  private newRun(startMs: number, audience: BacktestAudience): BacktestRun {
    const { pace, windows, zones } = this.working;
    const rule = ruleOf(this.trigger.wanted);
    const dataType = typeOf((this.written.test.points ?? []).map(({ value }) => value));
    const calls = windowsOf(rule);
    const labels = { sensorName: this.written.test.name, values: givenLabels(this.written.test.labels ?? {}) };
    const sensor = {
      ...{ id: SENSOR_ID, dataType, labels, zones, inactiveSinceMs: startMs },
      ...(calls.length > 0 && { windows: new SensorWindows(calls, { dataType, keptDays: null, labels }) }),
    };
    return new BacktestRun(rule, [sensor], startMs, BOUNDS, pace, windows, audience);
  }

  private audience(fromMs: number | undefined): BacktestAudience {
    const { test, path } = this.written;
    const acknowledged = this.timesOf(test.acknowledged ?? [], `${path}.acknowledged`, fromMs);
    const { planned } = this.working;
    const { after, wanted, thing, name } = this.trigger;
    const triggerId = thing?.row.id ?? planned.idOf('trigger', name);
    const recipients = (after.notifications as Connection[]).map(
      ({ notification, after: afterS }): BacktestRecipient => ({
        id: planned.idOf('notification', notification),
        afterS,
        text: '',
      }),
    );
    const limits = { digestAfter: 0, digested: new Set<number>(), timezone: this.timezone, listed: MOST_LISTED };
    return new BacktestAudience({
      trigger: { triggerId, triggerName: name },
      ...{ notifyResolved: wanted.notifyResolved, resolvedText: wanted.resolvedText },
      // The sensor of a test is none of those that a mute names.
      mutes: planned.mutes.filter(({ sensors }: Mute) => sensors === null),
      recipientsOf: () => recipients,
      sensors: new Map(),
      acknowledge: acknowledged.flatMap((atMs) => CAUSES.map((cause) => ({ sensorId: SENSOR_ID, cause, atMs }))),
      limits,
    });
  }

  private note(path: string, error: string): void {
    this.differences.push({ ...this.set.text.placeOf(path), path, error });
  }

  private clockOf(ms: number): string {
    const local = new Date(ms).toLocaleString('sv-SE', { timeZone: this.timezone });
    return local.startsWith('2024-01-01 ') ? local.slice(11) : local;
  }
}

/** As people would set the type of a sensor with such values. */
function typeOf(values: readonly unknown[]): string {
  if (values.some((value) => typeof value === 'object' && value !== null)) return 'json';
  return values.length > 0 && values.every((value) => typeof value === 'string') ? 'string' : 'float';
}

function namesOf(names: readonly string[]): string {
  return names.length === 0 ? 'nobody' : [...new Set(names)].sort().join(', ');
}
