import assert from 'node:assert/strict';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { Mailbox } from '../../support/mailbox';
import { ALL_WORK } from '../../support/platform';
import { until } from '../../support/until';
import { killWaitingWorker, useWorkersElsewhere } from '../../support/workers-elsewhere';

const DAY = 86_400_000;

describe('weekly reports with real workers', () => {
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({ config: mailbox.settings }));
  const user = useUserPerTest(platform);
  const start = useWorkersElsewhere(platform);

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
    const statement = '%weekly_report_due_ms%FOR UPDATE%';
    await killWaitingWorker(platform, start, { table: 'users', id: user.id, statement });
    assert.deepEqual(await reports(), []);
    await platform.container.services.weeklyReports.run();
    await platform.settle();
    await until('it has come', hasCome);
    await requireOne();
  });
});
