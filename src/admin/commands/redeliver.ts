import { type AddCommands, positive } from '../command';
import { count } from '../text';
import { type GroupOptions, groupOf, withGroupOptions } from './failures';

export const addRedeliver: AddCommands = (program, run) => {
  withGroupOptions(
    program
      .command('redeliver')
      .description('send a group of failed deliveries again, with the same ids and a new schedule of attempts'),
  )
    .option('--limit <count>', 'maximum number of deliveries, oldest first', positive, 10_000)
    .option('--dry-run', 'only count them')
    .action(
      run(async (platform, options: GroupOptions & { limit: number; dryRun?: boolean }) => {
        const container = platform.container();
        const { deliveryGroups } = container.services.operations;
        const isTrial = options.dryRun === true;
        const group = await groupOf(container, options);
        const done = await deliveryGroups.redeliver(group, { limit: options.limit, isTrial });
        const left = done.matched - done.redelivered;
        const lines = isTrial
          ? [`${count(done.matched, 'failed delivery', 'failed deliveries')} would be sent again`]
          : [
              `${count(done.redelivered, 'delivery', 'deliveries')} will be sent again`,
              ...(left > 0
                ? [`${left} not: the notification is switched off or deleted, or the recipient does not want mails`]
                : []),
            ];
        return { data: { ...done, dryRun: isTrial }, lines };
      }),
    );
};
