import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { buildAlarm } from '../support/alarm';
import { slack } from '../support/bystander';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { someAtOnce } from '../support/fleet';
import { useBystander, useReceiver, useStandingPlatform, useUser } from '../support/hooks';
import type { TestUser } from '../support/platform';
import { Stopwatch } from '../support/stopwatch';
import { until } from '../support/until';

const ACCOUNTS = 50;
const TRIGGERS = 10;
const POINTS = 3_000;
const DAY_MS = 86_400_000;
const WAIT_MS = 120_000;
const OWN_MS = 60_000;

describe('an attack from the quarantine', function () {
  this.timeout(900_000);
  const platform = useStandingPlatform({}, { apis: 3, workers: 2 });
  const bystander = useBystander(platform);
  const innocent = useUser(platform);
  const receiver = useReceiver();

  const quarantine = (users: readonly TestUser[]) =>
    platform.pool.query(
      `INSERT INTO quarantine (kind, thing_id, owner_id, deaths, paused_until_ms, since_ms, expires_ms, reason) VALUES ?`,
      [users.map(({ id }) => ['evaluation', id, id, 1, 0, Date.now(), Date.now() + DAY_MS, 'a test'])],
    );
  /** A sensor with triggers that compute much for each of its points. */
  const buildBusy = async (user: TestUser) => {
    const sensorId = await buildSensor(user);
    const call = (index: number) => `quantile_over_time(0.${index + 1}, sensor_data_value, 86400)`;
    const sum = Array.from({ length: 20 }, (_, index) => call(index)).join(' + ');
    for (let index = 0; index < TRIGGERS; index += 1)
      await connectTrigger(user, sensorId, await buildTrigger(user, { expression: `${sum} > ${index}000000` }));
    return sensorId;
  };

  it(`by ${ACCOUNTS} accounts with much to compute delays nobody outside`, async () => {
    const users = await someAtOnce(ACCOUNTS, () => platform.user());
    const sensorIds = await someAtOnce(ACCOUNTS, (index) => buildBusy(users[index] ?? assert.fail()));
    const alarm = await buildAlarm(innocent, {
      trigger: { expression: 'sensor_data_value > 0' },
      notifications: [{ type: 'url', destination: receiver.url, text: 'innocent' }],
    });
    await quarantine([...users, innocent]);
    const nowS = Math.floor(Date.now() / 1_000);
    const data = Array.from({ length: POINTS }, (_, index) => ({ value: index, date: nowS - POINTS + index }));
    let ownMs = 0;
    const seen = await bystander.during(async () => {
      await someAtOnce(ACCOUNTS, (index) => upload(users[index] ?? assert.fail(), sensorIds[index] ?? '', data));
      const watch = new Stopwatch();
      await upload(innocent, alarm.sensorId, { value: 1 });
      await until('the innocent one is served', async () => receiver.received.length > 0, WAIT_MS).catch(
        () => undefined,
      );
      ownMs = watch.stop();
    });
    const [[row]] = await platform.pool.query<RowDataPacket[]>('SELECT COUNT(*) AS total FROM inbox_batches');
    console.log(`      ${JSON.stringify(seen)}, ${ownMs} ms for one in it, ${row?.total} batches left`);
    assert.ok(ownMs < OWN_MS * slack(), `one in the quarantine waited ${ownMs} ms`);
  });
});
