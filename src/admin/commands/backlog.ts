import type { BacklogSummary, Waiting } from '../../operators/backlog';
import { type AddCommands, positive } from '../command';
import { duration, table } from '../text';

export const addBacklog: AddCommands = (program, run) => {
  program
    .command('backlog')
    .description(
      'show waiting work: points, events, deliveries, training; by partition and by user, with the age of the oldest',
    )
    .option('--users <count>', 'maximum number of users', positive, 10)
    .action(
      run(async (platform, { users: limit }: { users: number }) => {
        const { backlog } = platform.container().services.operations;
        const [summary, partitions, users] = await Promise.all([
          backlog.summary(),
          backlog.partitions(),
          backlog.users(limit),
        ]);
        const lines = [
          ...table(summaryRows(summary), ''),
          '',
          ...table(
            partitions.map(({ partition, batches, count, oldestSeconds }) => {
              return { partition, batches, points: count, oldest: duration(oldestSeconds) };
            }),
            'no points wait in any partition',
          ),
          '',
          ...table(
            users.map(({ userId, username, points, events, deliveries }) => {
              return { user: username || `id:${userId}`, id: userId, points, events, deliveries };
            }),
            'nothing waits on account of any user',
          ),
        ];
        return { data: { ...summary, partitions, users }, lines };
      }),
    );
};

function summaryRows(summary: BacklogSummary) {
  const { points, events, due, throttled, training, purge, underWay, planned } = summary;
  const row = (what: string, { count, oldestSeconds }: Waiting) => ({
    waiting: what,
    count,
    oldest: duration(oldestSeconds),
  });
  const only = (what: string, count: number) => row(what, { count, oldestSeconds: null });
  return [
    row('points to evaluate', points),
    row('events to dispatch', events),
    only('events that failed and pause', events.failing),
    row('deliveries that are due', due),
    only('deliveries under way', underWay),
    row('deliveries throttled by their receiver', throttled),
    only('deliveries planned for later', planned),
    row('training jobs', training),
    row('deleted things to purge', purge),
  ];
}
