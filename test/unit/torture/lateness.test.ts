import assert from 'node:assert/strict';
import { join } from 'node:path';

interface Incident {
  what: string;
  fromMs: number;
  toMs: number;
}

interface Verdict {
  tooLate: number;
  early: number;
  late: number[];
}

type Rows = (sql: string) => Promise<object[]>;
type Judge = (rows: Rows, ...more: unknown[]) => Promise<Verdict>;

const folder = join(__dirname, '../../../scripts/torture');
const START_MS = 1_700_000_000_000;
const at = (seconds: number) => START_MS + seconds * 1000;
const incident = (what: string, from: number, to: number): Incident => ({ what, fromMs: at(from), toMs: at(to) });
/** As a run of one minute recorded them on a busy machine. */
const RECORDED = [
  incident('worker', 4.8, 11),
  incident('Redis', 14.7, 20),
  incident('frozen worker', 22.7, 43),
  incident('worker', 47.1, 48),
  incident('API', 50.3, 63),
];
/** This process was never late. */
const STALLS = { total: () => 0, allowance: () => 0, secondsInto: () => 0 };

/** The times that each judging function sees, in seconds: when something was due, and when it came. */
interface Planted {
  dueAt: number;
  cameAt: number;
}

const planted: Record<string, (times: Planted, incidents: readonly Incident[]) => Promise<Verdict>> = {
  'an inactivity': async ({ dueAt, cameAt }, incidents) => {
    const { judgeInactivities, seconds } = await inactivities();
    const rows = answers({
      'FROM outages': [],
      'FROM firings': [{ ms: at(cameAt) }],
      'FROM data_points': [{ ms: at(dueAt - seconds) }],
    });
    return judgeInactivities(rows, { inactive: [{ id: '1' }], triggers: { inactivity: '2' } }, incidents, STALLS);
  },
  'a condition that the clock decides': async ({ dueAt, cameAt }, incidents) => {
    const { judgeDoors }: { judgeDoors: Judge } = await import(join(folder, 'doors.mjs'));
    const rows = answers({
      'FROM data_points': [{ ms: at(dueAt - 20), value: '1' }],
      'FROM firings': [{ firedMs: at(cameAt), endedMs: null, resolvedBy: null }],
    });
    return judgeDoors(rows, [{ id: '1' }], incidents, STALLS);
  },
  'a change of a metatag': async ({ dueAt, cameAt }, incidents) => {
    const { judgeSelected }: { judgeSelected: Judge } = await import(join(folder, 'selected.mjs'));
    const rows = answers({
      'FROM deliveries': [{ event: 'add_sensor_trigger', atMs: at(cameAt) }],
      'FROM sensor_triggers': [{ bySelector: 1, n: 0 }],
      'FROM firings': [],
    });
    // A selector has ten seconds, and everything else two.
    const answeredMs = at(dueAt - 8);
    const changes = [{ isSelected: true, triedMs: answeredMs, answeredMs }];
    const sensors = [{ id: '1', trigger: '2', changes, fired: [], isStuck: false }];
    return judgeSelected(rows, { trigger: '2', sensors, others: [] }, [], { incidents, stalls: STALLS });
  },
  'an escalation': async ({ dueAt, cameAt }, incidents) => {
    const { judgeEscalations }: { judgeEscalations: Judge } = await import(join(folder, 'escalations.mjs'));
    const firing = { id: 7, fired_ms: at(dueAt - 5), variables: '{"sensor_data_value":1}', ended_ms: null };
    const rows = answers({
      'FROM firings': [{ ...firing, acknowledged_ms: null }],
      'FROM deliveries': [
        { firingId: 7, notificationId: '3', resolved: 0, webhookId: 'first' },
        { firingId: 7, notificationId: '4', resolved: 0, webhookId: 'late' },
      ],
    });
    const cycles = [{ value: 1, how: 'nothing', calmedMs: Number.POSITIVE_INFINITY }];
    const alert = { id: '1', trigger: '2', first: '3', late: '4', cycles, isStuck: false };
    const received = [{ id: 'late', atMs: at(cameAt) }];
    return judgeEscalations(rows, [alert], received, { incidents, stalls: STALLS });
  },
  'a delivery to the steady receiver': async ({ dueAt, cameAt }, incidents) => {
    const { judgeDelays }: { judgeDelays: Judge } = await import(join(folder, 'delays.mjs'));
    const rows = answers({ 'FROM deliveries': [{ id: 1, webhookId: 'one', createdMs: at(dueAt) }] });
    return judgeDelays(rows, [{ id: 'one', mood: 'steady', atMs: at(cameAt) }], incidents, STALLS);
  },
};

describe('the torture’s verdicts on lateness', () => {
  for (const [what, judge] of Object.entries(planted)) {
    const tooLate = async (times: Planted, incidents: readonly Incident[]) => (await judge(times, incidents)).tooLate;

    it(`${what}, due at 8 s, is too late at 53 s, whatever happened meanwhile`, async () => {
      assert.equal(await tooLate({ dueAt: 8, cameAt: 53 }, RECORDED), 1);
    });

    it(`${what} is too late after more than 2 s in a quiet time`, async () => {
      const incidents = [incident('MySQL', 0, 3), incident('Redis', 40, 44)];
      assert.equal(await tooLate({ dueAt: 25, cameAt: 27 }, incidents), 0);
      assert.equal(await tooLate({ dueAt: 25, cameAt: 27.1 }, incidents), 1);
    });

    it(`${what} may be late for as long as a server is away, and 12 s more`, async () => {
      const incidents = [incident('MySQL', 7, 9)];
      assert.equal(await tooLate({ dueAt: 6, cameAt: 20 }, incidents), 0);
      assert.equal(await tooLate({ dueAt: 6, cameAt: 20.1 }, incidents), 1);
    });
  }
});

describe('the torture’s permitted lateness', () => {
  const permitted = async (dueAt: number, incidents: readonly Incident[]) => {
    const { latestInTime } = await import(join(folder, 'lateness.mjs'));
    return (Number(latestInTime(at(dueAt), incidents)) - START_MS) / 1000 - dueAt;
  };

  it('counts the recovery once, however many incidents follow each other', async () => {
    const chain = Array.from({ length: 10 }, (_, index) => incident('FLUSHALL', 5 * index, 5 * index));
    assert.equal(await permitted(0, chain), 12);
  });

  it('does not count how long one of several processes is away: the others take over', async () => {
    assert.equal(await permitted(0, [incident('worker', 1, 9)]), 12);
    assert.equal(await permitted(0, [incident('all workers', 1, 9)]), 20);
  });

  it('is at most 8 s more on a machine that others use, by the load before the run', async () => {
    const { slowMsOfMachine } = await import(join(folder, 'stalls.mjs'));
    assert.deepEqual(
      [0.4, 1, 2, 5, 100].map((load) => slowMsOfMachine(load)),
      [0, 0, 2_000, 8_000, 8_000],
    );
  });

  it('leaves a quiet time, longer than the recovery, in each run of a minute', async () => {
    const { Chaos } = await import(join(folder, 'chaos.mjs'));
    const least = [0, 1, 2].map((index) => Number(Chaos.pauseBefore(index)[0]) / 1000);
    assert.ok(
      least.some((seconds) => seconds > 15),
      String(least),
    );
  });
});

/** Answers each statement with the rows of the part that it contains. */
function answers(known: Record<string, object[]>): Rows {
  return async (sql) => {
    const found = Object.entries(known).find(([part]) => sql.includes(part));
    if (!found) throw new Error(`no answer for ${sql}`);
    return found[1];
  };
}

async function inactivities(): Promise<{ judgeInactivities: Judge; seconds: number }> {
  const { judgeInactivities } = await import(join(folder, 'inactivities.mjs'));
  const { INACTIVITY_SECONDS } = await import(join(folder, 'load.mjs'));
  return { judgeInactivities, seconds: Number(INACTIVITY_SECONDS) };
}
