import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSensor } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { useCuttable, usePlatform, useUser } from '../support/hooks';
import { connectOtherClient } from '../support/other-client';
import { buildLearningService, type LearningService, learnRange, runMethod } from '../support/recognition';
import { until } from '../support/until';

const T0 = 1_700_000_000;

describe('a training job whose step fails', () => {
  const clock = fakeClock();
  const mysql = useCuttable('MYSQL_URL');
  const platform = usePlatform(() => ({ clock, config: { MYSQL_URL: mysql.url } }));
  const user = useUser(platform);
  let sensorId: string;
  let service: LearningService;

  before(async () => {
    sensorId = await buildSensor(user);
    const rows = Array.from({ length: 20_001 }, (_, at) => [sensorId, T0 * 1000 + at * 10, String(at % 7), 1]);
    await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [rows]);
  });

  beforeEach(async () => {
    service = await buildLearningService(user, [sensorId]);
    await learn('broken');
    await platform.query('UPDATE training_jobs SET state = ? WHERE service_id = ?', ['{"inputs":', service.id]);
  });

  const learn = (class_label: string) => learnRange(user, service, { start_date: T0, end_date: T0 + 300, class_label });
  const first = async () =>
    (await platform.query('SELECT * FROM training_jobs WHERE service_id = ? ORDER BY id LIMIT 1', [service.id]))[0];
  const progress = async () => JSON.parse((await runMethod(user, service, 'GetLearningProgress')).result);
  const step = () => platform.container.services.trainingJobs.step(Number(service.id));
  const isEnqueued = async () => {
    const { queues, reconciler } = platform.container;
    await queues.training.obliterate({ force: true });
    await reconciler.enqueueWaiting();
    return (await queues.training.getJobs()).some(({ data }) => data.serviceId === Number(service.id));
  };

  it('is retried after growing pauses, and fails at the tenth attempt with an error for the user', async () => {
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

  it('restarts its count of failures after a successful step', async () => {
    await assert.rejects(step(), SyntaxError);
    await platform.query('UPDATE training_jobs SET state = NULL, failures = 9, try_again_ms = 0');
    assert.equal(await step(), 'read-on');
    assert.equal((await first())?.failures, 0);
  });

  it('continues without a pause when MySQL becomes unreachable during a step', async () => {
    await platform.query('UPDATE training_jobs SET state = NULL WHERE service_id = ?', [service.id]);
    assert.equal(await step(), 'read-on');
    const blocker = await connectOtherClient(platform);
    await blocker.beginTransaction();
    await blocker.query('SELECT id FROM services WHERE id = ? FOR UPDATE', [service.id]);
    const last = assert.rejects(step());
    // MariaDB refreshes this table only when it is read less than ten times a second.
    const waits = "SELECT COUNT(*) AS waiting FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
    await until('the step waits', async () => {
      await sleep(200);
      return (await platform.query(waits))[0]?.waiting !== 0;
    });
    await mysql.cut();
    blocker.destroy();
    await last;
    await mysql.restore();
    const row = await first();
    assert.deepEqual([row?.status, row?.failures, row?.try_again_ms], ['pending', 0, 0]);
    assert.equal(await step(), 'learnt');
  });
});
