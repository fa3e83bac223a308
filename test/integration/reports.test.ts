import assert from 'node:assert/strict';
import { type ChargedWork, runCancellable } from '../../src/storage/cancellation';
import { packAll } from '../support/chunks';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const START = Date.UTC(2026, 9, 1) / 1000;
const MINUTE = 60;
const POINTS = 20_000;
const RANGE = { startMs: START * 1000, endMs: (START + POINTS * MINUTE) * 1000 };
const NOTHING = { metatags: [], properties: [] };

describe('the points of a report', () => {
  const platform = usePlatform();
  const ada = useUser(platform);
  let id: string;

  before(async () => {
    id = await buildSensor(ada, { data_type: 'float' });
    await connectTrigger(ada, id, await buildTrigger(ada, { expression: 'sensor_data_value > 90' }));
    await upload(
      ada,
      id,
      Array.from({ length: POINTS }, (_, at) => ({ value: at % 100, date: START + at * MINUTE })),
    );
  });

  const report = async (work: ChargedWork, signal: AbortSignal) => {
    const userId = Number((await ada.api.get('/users/current')).body.user.id);
    const caller = { userId, credential: { kind: 'session' as const, id: 1 } };
    const wanted = { ids: [Number(id)], filter: NOTHING, namespace: 'default', owner: 'all' as const };
    const page = { offset: 0, limit: 10, withTotal: false };
    const { reports } = platform.container.services;
    const read = () => reports.report(caller, wanted, [RANGE], page);
    return runCancellable(signal, read, { userId, work, hold: () => undefined });
  };

  /** Records what is charged. */
  const account = (onStep: () => void = () => undefined) => {
    const charged = { steps: 0, longestMs: 0, pauses: 0, bytes: 0, mostBytes: 0 };
    const work: ChargedWork = {
      charge: (bytes) => {
        charged.bytes += bytes;
        charged.mostBytes = Math.max(charged.mostBytes, charged.bytes);
      },
      release: (bytes) => {
        charged.bytes -= bytes;
      },
      hasRoom: () => true,
      measure: (step) => {
        charged.steps += 1;
        onStep();
        return step();
      },
      isPauseDue: true,
      pause: async () => {
        charged.pauses += 1;
      },
    };
    return { charged, work };
  };

  it('are charged to the caller in steps, and never all in memory, in rows and in chunks', async () => {
    const seen: unknown[] = [];
    for (let round = 0; round < 2; round += 1) {
      const { charged, work } = account();
      const { items } = await report(work, new AbortController().signal);
      const [{ points, gaps, outsideMs, numbers } = assert.fail('no period')] = items[0]?.periods ?? [];
      seen.push({ points, gaps, outsideMs, numbers: numbers.summaries.get('') });
      assert.ok(charged.steps > 4 && charged.pauses > 4, JSON.stringify(charged));
      assert.equal(charged.bytes, 0, 'all is released');
      assert.ok(charged.mostBytes < 2_000_000, `${charged.mostBytes} bytes at once`);
      await packAll(platform, id);
    }
    const sum = (POINTS / 100) * 4_950;
    const numbers = { count: POINTS, sum, minimum: 0, maximum: 99 };
    const expected = { points: POINTS, gaps: 1, outsideMs: (POINTS / 100) * 9 * MINUTE * 1000, numbers };
    // The last point is the beginning of a gap, and would be the ninth above the limit.
    expected.outsideMs -= MINUTE * 1000;
    assert.deepEqual(seen, [expected, expected]);
  });

  it('are no longer read for a client that has left', async () => {
    const closed = new AbortController();
    const { charged, work } = account(() => closed.abort(new Error('the client has left')));
    await assert.rejects(report(work, closed.signal), /the client has left/);
    assert.ok(charged.steps < 4, JSON.stringify(charged));
    assert.equal(charged.bytes, 0);
  });
});
