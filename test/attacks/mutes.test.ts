import type { RowDataPacket } from 'mysql2/promise';
import { buildMute, buildTrigger, thenOf, upload } from '../support/factories';
import { buildFleet, someAtOnce } from '../support/fleet';
import { useBystander, useReceiver, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const SENSORS = 1_000;
const NOTIFICATIONS = 20;
const TRIGGERS = 1_000;
const MUTES = 100;
const ROUNDS = 2;
const READS = 3;
const CHANGES = 3;
const DAY_S = 86_400;
const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6];
const WAIT_MS = 200_000;

describe('an attack by mutes', function () {
  this.timeout(900_000);
  const platform = useStandingPlatform({}, { apis: 3, workers: 2 });
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const receiver = useReceiver();
  const muteIds: string[] = [];

  before(async () => {
    const { sensorIds, triggerId } = await buildFleet(attacker, {
      sensors: SENSORS,
      trigger: { expression: 'sensor_data_value > 0', repeat: 0 },
      notifications: Array.from({ length: NOTIFICATIONS }, (_, index) => ({ destination: `${receiver.url}/${index}` })),
    });
    const nowS = Math.floor(Date.now() / 1_000);
    const weekly = { days: ALL_DAYS, from: clockAt(nowS - 1_800), to: clockAt(nowS - 3_600), timezone: 'UTC' };
    const length = { start: nowS - 1, end: nowS + DAY_S };
    const others = await someAtOnce(TRIGGERS - 1, () =>
      buildTrigger(attacker, { expression: 'sensor_data_value > 9' }),
    );
    const covered = { sensors: sensorIds, triggers: [...others, triggerId] };
    for (let index = 0; index < MUTES; index += 1)
      muteIds.push(await buildMute(attacker, { ...length, weekly, ...covered, ...thenOf('deliver') }));
    await someAtOnce(SENSORS, (index) => upload(attacker, sensorIds[index] ?? '', { value: 1 }));
    await until('all have fired', async () => (await waiting()) === SENSORS * NOTIFICATIONS, WAIT_MS);
  });

  const count = async (where: string) => {
    const sql = `SELECT COUNT(*) AS total FROM deliveries WHERE owner_id = ? AND status = 'pending' AND ${where}`;
    const [[row]] = await platform.pool.query<RowDataPacket[]>(sql, [attacker.id]);
    return Number(row?.total);
  };
  const waiting = () => count('after_mute');

  it('that cover 1,000 open episodes, in pages of firings, delays nobody', async () => {
    const seen = await bystander.during(async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const urls = platform.urls.flatMap((url) => Array.from({ length: READS }, () => url));
        const headers = { 'X-SESSION_ID': attacker.session };
        await Promise.all(urls.map((url) => fetch(`${url}/firings?per_page=1000`, { headers }).then((r) => r.text())));
      }
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });

  it('whose changes make 20,000 deliveries look whether they still wait, delays nobody', async () => {
    const seen = await bystander.during(async () => {
      for (let change = 0; change < CHANGES; change += 1)
        await attacker.api.put(`/mutes/${muteIds[0]}`, { mute: { name: `a mute ${change}` } });
      await until('all wait again', async () => (await count(`next_attempt_ms <= ${Date.now()}`)) === 0, WAIT_MS);
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });

  it('that end while 20,000 deliveries wait for it, delays nobody', async () => {
    const seen = await bystander.during(async () => {
      for (const id of muteIds) await attacker.api.delete(`/mutes/${id}`);
      await until('all are sent', async () => (await waiting()) === 0, WAIT_MS);
    });
    console.log(`      ${JSON.stringify(seen)} ${receiver.received.length} digests`);
  });
});

/** The clock in UTC, as `HH:MM`. */
function clockAt(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(11, 16);
}
