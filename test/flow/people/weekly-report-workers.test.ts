import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { Mailbox } from '../../support/mailbox';
import { connectOtherClient } from '../../support/other-client';
import { startWorkerElsewhere } from '../../support/other-process';
import { ALL_WORK } from '../../support/platform';
import { until } from '../../support/until';

const DAY = 86_400_000;

describe('weekly reports with real workers', () => {
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({ config: mailbox.settings }));
  const user = useUserPerTest(platform);
  const workers: ChildProcess[] = [];
  afterEach(async () => {
    for (const worker of workers.splice(0)) worker.kill('SIGKILL');
    await platform.stopWorkers();
  });

  const start = async () => {
    const worker = await startWorkerElsewhere(platform, platform.container.config.redisUrl);
    workers.push(worker);
    return worker;
  };
  /** The user's report is due now. */
  const makeDue = async () => {
    await user.api.put(`/users/${user.id}`, { user: { weekly_report: { day: 'monday', hour: 8 } } });
    await platform.query('UPDATE users SET weekly_report_due_ms = ? WHERE id = ?', [Date.now(), user.id]);
  };
  const reports = () =>
    platform.query("SELECT status FROM deliveries WHERE owner_id = ? AND kind = 'report'", [user.id]);
  const hasCome = async () => (await reports()).some(({ status }) => status === 'delivered');
  const requireOne = async () => {
    assert.equal((await reports()).length, 1);
    assert.equal(mailbox.to(`${user.username}@example.org`).length, 1);
    const [row] = await platform.query('SELECT weekly_report_due_ms AS dueMs FROM users WHERE id = ?', [user.id]);
    assert.ok(Number(row?.dueMs) > Date.now() && Number(row?.dueMs) <= Date.now() + 8 * DAY);
  };

  it('come once, however many workers run', async () => {
    await makeDue();
    await Promise.all([start(), platform.startWorkers(ALL_WORK, 2)]);
    const { weeklyReports } = platform.container.services;
    await Promise.all(Array.from({ length: 5 }, () => weeklyReports.run()));
    await until('it has come', hasCome);
    await weeklyReports.run();
    await requireOne();
  });

  it('come once although the worker that writes one is killed', async () => {
    await makeDue();
    const other = await connectOtherClient(platform);
    try {
      await other.beginTransaction();
      await other.query('SELECT id FROM users WHERE id = ? FOR UPDATE', [user.id]);
      const first = await start();
      await until('the worker waits for the row', async () => {
        const rows = await platform.query(
          "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE '%weekly_report_due_ms%FOR UPDATE%' AND ID <> CONNECTION_ID()",
        );
        return rows.length > 0;
      });
      const ended = once(first, 'exit');
      first.kill('SIGKILL');
      await ended;
      await other.rollback();
    } finally {
      await other.end();
    }
    assert.deepEqual(await reports(), []);
    await platform.container.services.weeklyReports.run();
    await platform.settle();
    await until('it has come', hasCome);
    await requireOne();
  });
});
