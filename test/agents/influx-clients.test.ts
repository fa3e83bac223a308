import assert from 'node:assert/strict';
import { InfluxDB as InfluxDB2, Point, setLogger } from '@influxdata/influxdb-client';
import { InfluxDB as InfluxDB1 } from 'influx';
import { type Front, startFront } from '../support/agents/front';
import { storedLines } from '../support/agents/stored-series';
import { createKey } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { until } from '../support/until';

const BEGIN_MS = Date.UTC(2026, 10, 26, 10);
const ROOMS = ['hall', 'cellar', 'roof'];

interface Reading {
  room: string;
  celsius: number;
  dateMs: number;
}

const readings = (count: number): Reading[] =>
  Array.from({ length: count }, (_, index) => ({
    room: ROOMS[index % ROOMS.length] ?? '',
    celsius: index / 100,
    dateMs: BEGIN_MS + index,
  }));

describe('the npm clients of InfluxDB', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  let front: Front;
  let token: string;

  beforeEach(async () => {
    front = await startFront(platform.url);
    token = (await createKey(user, { scopes: ['data:write', 'sensors:create'] })).secret;
  });
  afterEach(() => front.close());

  const assertStored = async (sent: readonly Reading[]) => {
    const wanted = sent.map(({ room, celsius, dateMs }) => `air,room=${room} ${dateMs} {"celsius":${celsius}}`);
    assert.deepEqual(await storedLines(user), wanted.sort());
  };
  const statuses = () => front.requests.filter(({ path }) => path.includes('write')).map(({ status }) => status);

  describe('@influxdata/influxdb-client', () => {
    let written: number;
    const openWrites = () => {
      written = 0;
      return new InfluxDB2({ url: front.url, token }).getWriteApi('home', 'home', 'ms', {
        ...{ batchSize: 500, flushInterval: 50, minRetryDelay: 50, retryJitter: 10, maxRetries: 9 },
        writeSuccess: (lines) => {
          written += lines.length;
        },
      });
    };
    const pointOf = ({ room, celsius, dateMs }: Reading) =>
      new Point('air').tag('room', room).floatField('celsius', celsius).timestamp(dateMs);

    before(() => setLogger({ error: () => undefined, warn: () => undefined }));

    it('gets each of 5,000 points stored once, across 503, 429, closed connections and a lost answer', async () => {
      const sent = readings(5_000);
      const writes = openWrites();
      front.faults = [{ status: 503, retryAfter: 1 }, 'close', 'lose-answer', { status: 429 }];
      writes.writePoints(sent.map(pointOf));
      await until('all points are confirmed', () => written === sent.length);
      await writes.close();
      assert.deepEqual([statuses().filter((status) => status === 204).length, front.faults], [10, []]);
      await assertStored(sent);
    });

    it('sends its batches compressed above a size', async () => {
      const sent = readings(500);
      const writes = new InfluxDB2({ url: front.url, token }).getWriteApi('home', 'home', 'ms', { gzipThreshold: 1 });
      writes.writePoints(sent.map(pointOf));
      await writes.close();
      assert.equal(front.requests[0]?.headers['content-encoding'], 'gzip');
      await assertStored(sent);
    });

    it('gives up a batch that is answered by 401, 403 or 413', async () => {
      for (const status of [401, 403, 413]) {
        front.faults = [{ status }];
        const writes = openWrites();
        writes.writePoints(readings(3).map(pointOf));
        await assert.rejects(writes.close());
      }
      assert.deepEqual(statuses(), [401, 403, 413]);
    });

    it('gives up a batch with a line that can never be read, whose other lines are stored', async () => {
      const sent = readings(3);
      const writes = openWrites();
      writes.writePoints(sent.map(pointOf));
      writes.writeRecord('air celsius=');
      await assert.rejects(writes.close(), /3 lines are stored, 1 are not: line 4 /);
      await assertStored(sent);
    });
  });

  describe('influx', () => {
    const client = () => {
      const { hostname: host, port } = new URL(front.url);
      return new InfluxDB1({ host, port: Number(port), database: 'home', username: 'anyone', password: token });
    };
    const write = (sent: readonly Reading[]) =>
      client().writePoints(
        sent.map(({ room, celsius, dateMs }) => ({
          ...{ measurement: 'air', tags: { room }, fields: { celsius }, timestamp: new Date(dateMs) },
        })),
      );

    it('finds the server, creates its database and gets its points stored', async () => {
      const [pinged] = await client().ping(5_000);
      assert.equal(pinged?.online, true);
      const names = await client().getDatabaseNames();
      if (!names.includes('home')) await client().createDatabase('home');
      const sent = readings(1_000);
      await write(sent);
      await assertStored(sent);
    });

    it('reports each failed write to its program, which may send the same points again', async () => {
      front.faults = ['close', 'lose-answer', { status: 503 }];
      for (let time = 0; time < 3; time += 1) await assert.rejects(write(readings(100)));
      await write(readings(100));
      assert.deepEqual(statuses(), [0, 0, 503, 204]);
      await assertStored(readings(100));
    });
  });
});
