import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStream } from '../support/event-stream';
import { buildSensor } from '../support/factories';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import { StalledReaders } from '../support/stalled-readers';

const READERS = 100;
const POINTS = 100;
const VALUE_BYTES = 65_000;
const UPLOADS = 2;
/** 100 streams each are all that one API process has. */
const ACCOUNTS = 50;
/** The API may grow by so much, whatever the readers hold: less than the bytes of the events. */
const MOST_MORE_MB = 100;

describe('an attack by streams that nobody reads', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);

  /** 6.5 MB of values that are six times as long in JSON. */
  const csv = (round: number) =>
    `date,value\n${Array.from({ length: POINTS }, (_, index) => `${1_600_000_000 + round * POINTS + index},"${'\u0001'.repeat(VALUE_BYTES)}"`).join('\n')}`;

  it('of 100 streams, and uploads of 6.5 MB to them, harms no other user, and loses no event', async () => {
    const sensorId = await buildSensor(attacker, { data_type: 'string' });
    const path = `/sensors/${sensorId}/data/stream`;
    const stalled = new StalledReaders(platform.url);
    const upload = async (round: number) => {
      const headers = { 'X-SESSION_ID': attacker.session, 'Content-Type': 'text/csv' };
      const url = `${platform.url}/sensors/${sensorId}/data`;
      const response = await fetch(url, { method: 'POST', headers, body: csv(round) });
      assert.equal(response.status, 201, await response.text());
    };
    try {
      const taken = await openStream(platform.url, path, { 'X-SESSION_ID': attacker.session });
      await upload(0);
      await taken.has(POINTS, 60_000);
      await stalled.openMany(READERS - 1, path, attacker.session);
      const api = platform.processes.find(({ name }) => name === 'api');
      const before = api?.residentMb() ?? 0;
      const seen = await bystander.during(async () => {
        for (let round = 1; round <= UPLOADS; round += 1) await upload(round);
        await taken.has((UPLOADS + 1) * POINTS, 60_000);
        await sleep(5_000);
      });
      console.log(`      ${Math.round(before)} MB before, ${JSON.stringify(seen)}`);
      assert.ok(seen.apiMemoryMb - before < MOST_MORE_MB, `${before} MB before, ${seen.apiMemoryMb} MB during it`);
      const ids = taken.news.map(({ data }) => data.date);
      assert.deepEqual(
        ids,
        [...ids].sort((a, b) => a - b),
        'in order',
      );
      assert.equal(new Set(ids).size, (UPLOADS + 1) * POINTS, 'each once');
      await taken.close();
    } finally {
      stalled.close();
    }
  });

  it(`of ${ACCOUNTS} accounts that hold all streams shuts out nobody who holds none`, async () => {
    const stalled = new StalledReaders(platform.url);
    try {
      const seen = await bystander.during(async () => {
        for (let account = 0; account < ACCOUNTS; account += 1) {
          const user = await platform.user();
          const statuses = await stalled.openMany(READERS, '/firings/stream', user.session);
          assert.deepEqual([...new Set(statuses)], ['200'], `account ${account}`);
        }
        const late = await platform.user();
        const [first, ...others] = await stalled.openMany(2 * READERS, '/firings/stream', late.session);
        assert.equal(first, '200');
        assert.ok(others.includes('503') || others.includes('429'), 'they have a share, too');
      });
      console.log(`      ${JSON.stringify(seen)}`);
    } finally {
      stalled.close();
    }
  });
});
