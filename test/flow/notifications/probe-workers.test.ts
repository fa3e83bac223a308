import assert from 'node:assert/strict';
import { buildNotification } from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { ALL_WORK } from '../../support/platform';
import { until } from '../../support/until';
import { killWaitingWorker, useWorkersElsewhere } from '../../support/workers-elsewhere';

const PERIOD_S = 3_600;

describe('probes with real workers', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  const start = useWorkersElsewhere(platform);

  /** A notification whose probe is due now. */
  const buildDue = async () => {
    const id = await buildNotification(user, { destination: receiver.url, probe: PERIOD_S });
    await platform.query('UPDATE notifications SET probe_due_ms = ? WHERE id = ?', [Date.now(), id]);
    return id;
  };
  const probesOf = (id: string) =>
    platform.query("SELECT status FROM deliveries WHERE notification_id = ? AND kind = 'probe'", [id]);
  const runsOfScheduler = async () => {
    const jobs = await platform.container.queues.schedule.getCompleted();
    return Math.max(0, ...jobs.map(({ finishedOn }) => finishedOn ?? 0));
  };
  const isDelivered = async (id: string) => (await probesOf(id)).some(({ status }) => status === 'delivered');

  it('come once, however many workers run', async () => {
    await start();
    await platform.startWorkers(ALL_WORK, 2);
    const ids = await Promise.all(Array.from({ length: 20 }, buildDue));
    await until('all have come', async () => (await Promise.all(ids.map(isDelivered))).every(Boolean));
    const atMs = Date.now();
    await until('the workers have looked again', async () => (await runsOfScheduler()) > atMs + 1_500);
    for (const id of ids) assert.equal((await probesOf(id)).length, 1);
    assert.equal(receiver.received.length, ids.length);
  });

  it('come once although the worker that makes one is killed', async () => {
    const id = await buildDue();
    const statement = '%probe_due_ms%FOR UPDATE%';
    await killWaitingWorker(platform, start, { table: 'notifications', id, statement });
    await start();
    await until('it has come', () => isDelivered(id));
    assert.equal((await probesOf(id)).length, 1);
    assert.equal(receiver.received.length, 1);
    const [row] = await platform.query('SELECT probe_due_ms AS dueMs FROM notifications WHERE id = ?', [id]);
    assert.ok(Number(row?.dueMs) > Date.now() + (PERIOD_S - 300) * 1_000);
  });
});
