import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolConnection } from 'mysql2/promise';
import { MAX_TRIES } from '../../src/storage/knobs';
import { buildPackedSensor, chunksOf, countRows, packAll, packIn } from '../support/chunks';
import { buildSensor, upload } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { purgeOf } from '../support/purging';
import { until } from '../support/until';
import { watchPool } from '../support/watched-pool';

const DAY_S = 86_400;
const POINTS = 4_000;

function hashOf(index: number): Buffer {
  return createHash('sha256').update(`${index}`).digest();
}

describe('points in chunks', () => {
  const clock = fakeClock(Date.UTC(2026, 10, 21));
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);

  const nowS = () => clock.now() / 1_000;
  /** Points at equal intervals between two ages in days, the oldest first. */
  const between = (oldest: number, newest: number, points = POINTS) =>
    Array.from({ length: points }, (_, index) => ({
      value: index,
      date: Math.round(nowS() - oldest * DAY_S + ((oldest - newest) * DAY_S * index) / points),
    }));
  const read = async (id: string, query = ''): Promise<{ date: number; value: string }[]> => {
    const { status, body } = await user.api.get(`/sensors/${id}/data.ndjson?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return String(body)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  const pool = () => platform.container.database.pool;
  const purge = (options = {}) => purgeOf(platform, options).run();
  const countOf = async (id: string) => [(await chunksOf(platform, id)).length, await countRows(platform, id)];

  describe('leave by the retention', () => {
    it('as whole chunks, and those that the date divides at most a day late', async () => {
      const id = await buildPackedSensor(platform, user, between(10, 0));
      await purge({ data: 7 });
      const [oldest] = await read(id);
      const age = (nowS() - (oldest?.date ?? 0)) / DAY_S;
      assert.ok(age <= 8, `the oldest point is ${age} days old`);
      assert.equal((await read(id, `start_date=${nowS() - 7 * DAY_S}`)).length, 2_800);
      clock.advance(DAY_S * 1_000);
      await purge({ data: 7 });
      assert.ok((nowS() - ((await read(id))[0]?.date ?? 0)) / DAY_S <= 8);
      clock.advance(8 * DAY_S * 1_000);
      await purge({ data: 7 });
      assert.deepEqual(await countOf(id), [0, 0]);
    });

    it('never without the rows that replaced them or follow them', async () => {
      const data = between(7.6, 7.1, 1_600);
      const id = await buildPackedSensor(platform, user, data);
      const replaced = data.slice(10, 20).map(({ date }) => ({ value: 'replaced', date }));
      await upload(user, id, replaced);
      await purge({ data: 7 });
      const left = await read(id);
      assert.ok(left.length === 0 || left.length === data.length, `${left.length} of ${data.length} points are left`);
      for (const { date } of replaced) {
        assert.equal(left.find((point) => point.date === date)?.value ?? 'replaced', 'replaced');
      }
      const { body } = await user.api.get(`/sensors/${id}/data?last=1`);
      assert.deepEqual(
        body.data.map(({ date }: { date: number }) => date),
        left.slice(-1).map(({ date }) => date),
      );
      clock.advance(DAY_S * 1_000);
      await purge({ data: 7 });
      assert.deepEqual(await countOf(id), [0, 0]);
    });
  });

  it('leave with their sensor, and with the account', async () => {
    const [first, second] = [
      await buildPackedSensor(platform, user, between(10, 0)),
      await buildPackedSensor(platform, user, between(10, 0)),
    ];
    const neighbour = await platform.user();
    const kept = await buildPackedSensor(platform, neighbour, between(10, 0));
    assert.equal((await user.api.delete(`/sensors/${first}`)).status, 200);
    await purge();
    assert.deepEqual(await countOf(first), [0, 0]);
    assert.notDeepEqual(await countOf(second), [0, 0]);
    assert.equal((await user.api.delete(`/users/${user.id}`)).status, 200);
    for (let run = 0; run < 5; run += 1) await purge();
    assert.deepEqual(await countOf(second), [0, 0]);
    assert.equal((await neighbour.api.get(`/sensors/${kept}/data?total=1&per_page=1`)).body.total, POINTS);
  });

  it('end with their day where points are dense, however well these compress', async () => {
    const days = 5;
    const regular = between(days, 0, days * 1_440);
    const noisy = regular.map(({ date }, at) => ({ date, value: hashOf(at).readUInt32BE() / 1e4 }));
    for (const [data, chunksADay] of [
      [regular, 1],
      [noisy, 2],
    ] as const) {
      const id = await buildPackedSensor(platform, user, data);
      const ends = (await chunksOf(platform, id)).map(({ lastMs }) => ((lastMs + 60_000) / 1_000) % DAY_S === 0);
      const day = [...Array.from({ length: chunksADay - 1 }, () => false), true];
      assert.deepEqual(ends.slice(0, 4 * chunksADay), [day, day, day, day].flat());
      assert.deepEqual(
        (await read(id)).map(({ value }) => Number(value)),
        data.map(({ value }) => value),
      );
    }
  });

  it('hold as many noisy texts as fill a quarter of a page', async () => {
    const data = between(40, 0).map(({ date }, at) => ({ date, value: hashOf(at).toString('base64') }));
    const id = await buildPackedSensor(platform, user, data);
    const rows = await platform.query(
      'SELECT LENGTH(body) AS bytes FROM data_chunks WHERE sensor_id = ? ORDER BY last_ms',
      [id],
    );
    const sizes = rows.map(({ bytes }) => Number(bytes));
    assert.ok(Math.max(...sizes) <= 3_700, `${sizes}`);
    // The first transaction does not know yet how well the values compress, and the last one has fewer points.
    const [from, to] = [Math.ceil(sizes.length / 2), sizes.length - 1];
    assert.ok(from < to && Math.min(...sizes.slice(from, to)) > 3_300, `${sizes}`);
  });

  it('are packed once, however many processes pack the same sensor', async () => {
    const data = between(30, 0, 12_000);
    const id = await buildSensor(user);
    await upload(user, id, data);
    const pack = () => packIn(pool(), id);
    await Promise.all([pack(), pack(), pack(), pack()]);
    assert.equal(await countRows(platform, id), 100);
    assert.deepEqual(
      (await read(id)).map(({ value }) => Number(value)),
      data.map(({ value }) => value),
    );
    await requireInOrder(id);
  });

  it('let late and replaced points in while they are packed', async () => {
    const data = between(10, 0);
    const id = await buildSensor(user);
    await upload(user, id, data);
    const expected = new Map(data.map(({ date, value }) => [date, String(value)]));
    let isSent = false;
    const packing = (async () => {
      while (!isSent) await packAll(platform, id);
    })();
    for (let round = 0; round < 30; round += 1) {
      const some = data.filter((_, index) => index % 97 === round);
      const changed = some.flatMap(({ date }) => [
        { date, value: `again ${round}` },
        { date: date + 1, value: `late ${round}` },
      ]);
      await upload(user, id, changed);
      for (const { date, value } of changed) expected.set(date, value);
    }
    isSent = true;
    await packing;
    const compare = async () =>
      assert.deepEqual(
        (await read(id)).map(({ date, value }) => [date, value]),
        [...expected].sort(([a], [b]) => a - b),
      );
    await compare();
    await packAll(platform, id);
    await compare();
    await requireInOrder(id);
  });

  it('are packed after any number of deadlocks with transactions that have more to roll back', async () => {
    const [data, id] = [between(10, 0), await buildSensor(user)];
    const other = await buildSensor(user);
    await upload(user, id, data);
    await upload(user, other, data.slice(0, 1_000));
    const lock = (connection: PoolConnection, at: number) =>
      connection.query('SELECT value FROM data_points WHERE sensor_id = ? AND date_ms = ? FOR UPDATE', [
        ...[id, (data[at]?.date ?? 0) * 1_000],
      ]);
    /** Has locked a row that is packed late, and changed another sensor, so that the packing is rolled back. */
    const begin = async (round: number) => {
      const connection = await pool().getConnection();
      await connection.beginTransaction();
      const [from, to] = [data[round * 100], data[round * 100 + 99]].map((point) => (point?.date ?? 0) * 1_000);
      const change = 'UPDATE data_points SET value = ? WHERE sensor_id = ? AND date_ms BETWEEN ? AND ?';
      await connection.query(change, ['x', other, from, to]);
      await lock(connection, 1_000 - round);
      return connection;
    };
    let current = await begin(0);
    const packing = packIn(pool(), id);
    for (let round = 1; round <= MAX_TRIES + 1; round += 1) {
      const waits = "SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
      await until('the packing waits', async () => {
        await sleep(150); // InnoDB shows the former answer to who asks again within 100 ms
        return (await platform.query(waits)).length > 0;
      });
      await lock(current, 0);
      const next = await begin(round);
      await current.rollback();
      current.release();
      current = next;
    }
    await current.rollback();
    current.release();
    await packing;
    assert.equal(await countRows(platform, id), 100);
    assert.deepEqual(
      (await read(id)).map(({ value }) => Number(value)),
      data.map(({ value }) => value),
    );
  });

  describe('while the newest rows are deleted', () => {
    /** Packs with a pause before the commit, in which `during` happens. */
    const packWith = async (id: string, during: () => Promise<unknown>) => {
      let isHeld = false;
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const packing = packIn(
        watchPool(pool(), {
          beforeCommit: async () => {
            isHeld = true;
            await released;
          },
        }),
        id,
      );
      await until('the packing is about to commit', () => isHeld);
      const other = during();
      // The deletion may wait for a lock of the packing.
      await Promise.race([other, new Promise((resolve) => setTimeout(resolve, 500))]);
      release();
      await Promise.all([packing, other]);
    };
    const deleteFrom = (id: string, date: number) => async () => {
      const { status } = await user.api.delete(`/sensors/${id}/data?start_date=${date}&end_date=${nowS()}`);
      assert.equal(status, 200);
    };
    const latest = async (id: string) => (await user.api.get(`/sensors/${id}/data?last=1`)).body.data[0]?.value;

    it('the newest points that are left are rows', async () => {
      const data = between(10, 0, 1_600);
      const id = await buildSensor(user);
      await upload(user, id, data);
      await packWith(id, deleteFrom(id, data[1_450]?.date ?? 0));
      assert.equal(await latest(id), '1449');
      const rows = await platform.query('SELECT value FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC', [
        id,
      ]);
      assert.deepEqual(
        rows.slice(0, 100).map(({ value }) => value),
        data
          .slice(1_350, 1_450)
          .map(({ value }) => String(value))
          .reverse(),
      );
    });

    it('a point that was replaced keeps its new value', async () => {
      const data = between(10, 0, 1_600);
      const id = await buildPackedSensor(platform, user, data);
      const last = data[1_450];
      await upload(user, id, { value: 'replaced', date: last?.date });
      await packWith(id, deleteFrom(id, data[1_500]?.date ?? 0));
      await packAll(platform, id);
      assert.equal((await read(id)).find(({ date }) => date === last?.date)?.value, 'replaced');
      await requireInOrder(id);
    });
  });

  async function requireInOrder(id: string): Promise<void> {
    const heads = await chunksOf(platform, id);
    heads.forEach(({ firstMs, lastMs }, at) => {
      assert.ok(firstMs <= lastMs && firstMs > (heads[at - 1]?.lastMs ?? 0), `chunk ${at} overlaps the one before`);
    });
  }
});
