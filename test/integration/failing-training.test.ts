import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { type Cuttable, startCuttable } from '../support/cuttable';
import { type FakeClock, fakeClock } from '../support/fake-clock';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { learnRange, makeSensor, makeService, runMethod, type TestService } from '../support/recognition';

const T0 = 1_700_000_000;

describe('a learning whose step fails', () => {
  let mysql: Cuttable;
  let platform: Platform;
  let clock: FakeClock;
  let user: TestUser;
  let sensorId: string;
  let service: TestService;

  before(async () => {
    clock = fakeClock();
    mysql = await startCuttable(process.env.MYSQL_URL ?? '');
    platform = await startPlatform({ clock, config: { MYSQL_URL: mysql.url } });
    user = await platform.user();
    sensorId = await makeSensor(user, 'noise');
    const rows = Array.from({ length: 20_001 }, (_, at) => [sensorId, T0 * 1000 + at * 10, String(at % 7), 1]);
    await query('INSERT INTO data_points (sensor_id, date_ms, value, received_ms) VALUES ?', [rows]);
  });
  after(async () => {
    await platform.close();
    await mysql.close();
  });
  beforeEach(async () => {
    service = await makeService(user, 'state_recognition_service', [sensorId]);
    await learn('broken');
    await query('UPDATE learnings SET state = ? WHERE service_id = ?', ['{"inputs":', service.id]);
  });

  const query = async (sql: string, values: unknown[] = []) =>
    (await platform.container.database.pool.query<RowDataPacket[]>(sql, values))[0];
  const learn = (class_label: string) => learnRange(user, service, { start_date: T0, end_date: T0 + 300, class_label });
  const first = async () =>
    (await query('SELECT * FROM learnings WHERE service_id = ? ORDER BY id LIMIT 1', [service.id]))[0];
  const progress = async () => JSON.parse((await runMethod(user, service, 'GetLearningProgress')).result);
  const step = () => platform.container.services.trainingJobs.step(Number(service.id));
  const isEnqueued = async () => {
    const { queues, sweep } = platform.container;
    await queues.training.obliterate({ force: true });
    await sweep.enqueueWaiting();
    return (await queues.training.getJobs()).some(({ data }) => data.serviceId === Number(service.id));
  };

  it('is tried again after pauses that grow, and given up at the tenth time, saying so', async () => {
    await learn('whole');
    for (let failures = 1; failures < 10; failures += 1) {
      await assert.rejects(step(), SyntaxError);
      const row = await first();
      const pauseMs = row?.try_again_ms - clock.now();
      assert.deepEqual([row?.status, row?.failures, pauseMs], ['pending', failures, 1000 * 2 ** (failures - 1)]);
      assert.deepEqual([await step(), await isEnqueued(), (await progress()).waiting], ['pauses', false, 2]);
      clock.advance(pauseMs - 1);
      assert.equal(await step(), 'pauses');
      clock.advance(1);
      assert.equal(await isEnqueued(), true);
    }
    await assert.rejects(step(), SyntaxError);
    assert.equal((await first())?.status, 'failed');
    const { waiting, error } = await progress();
    assert.equal(waiting, 1);
    assert.match(error, /failed 10 times in a row/);
    await platform.settle();
    assert.equal((await runMethod(user, service, 'GetClassLabels')).result, '["whole"]');
  });

  it('counts from the beginning again once a step is made', async () => {
    await assert.rejects(step(), SyntaxError);
    await query('UPDATE learnings SET state = NULL, failures = 9, try_again_ms = 0');
    assert.equal(await step(), 'read-on');
    assert.equal((await first())?.failures, 0);
  });

  it('is tried on without a pause when MySQL went away in the middle of it', async () => {
    await query('UPDATE learnings SET state = NULL WHERE service_id = ?', [service.id]);
    assert.equal(await step(), 'read-on');
    const blocker = await platform.container.database.pool.getConnection();
    await blocker.beginTransaction();
    await blocker.query('SELECT id FROM services WHERE id = ? FOR UPDATE', [service.id]);
    const last = assert.rejects(step());
    // Asked for more often than ten times a second, MariaDB tells the same as before.
    const waits = "SELECT COUNT(*) AS waiting FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
    while ((await query(waits))[0]?.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 200));
    await mysql.cut();
    blocker.destroy();
    await last;
    await mysql.restore();
    const row = await first();
    assert.deepEqual([row?.status, row?.failures, row?.try_again_ms], ['pending', 0, 0]);
    assert.equal(await step(), 'learnt');
  });
});
