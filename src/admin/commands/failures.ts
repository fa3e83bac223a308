import type { Command } from 'commander';
import type { Container } from '../../container';
import type { FailedGroup } from '../../operators/delivery-groups';
import { type AddCommands, milliseconds, positive } from '../command';
import { table, time } from '../text';
import { receiverNamed } from './receivers';

export interface GroupOptions {
  receiver?: string;
  user?: string;
  notification?: number;
  cause?: string;
  since?: number;
}

export function withGroupOptions(command: Command): Command {
  return command
    .option('--receiver <receiver>', 'those to this receiver: host:port, a URL, or smtp for mails')
    .option('--user <name>', 'only deliveries of this user: a username, or id:123')
    .option('--notification <id>', 'only deliveries of this notification', positive)
    .option('--cause <text>', 'those whose latest error contains this text')
    .option('--since <duration>', 'those that failed in the last 24h, 30m or 7d', milliseconds);
}

/** Throws NotFound for an unknown user. */
export async function groupOf(
  { services }: Container,
  { receiver, user, notification, cause, since }: GroupOptions,
): Promise<FailedGroup> {
  return {
    receiver: receiver === undefined ? undefined : receiverNamed(receiver),
    userId: user === undefined ? undefined : (await services.operations.userCredentials.user(user)).id,
    notificationId: notification,
    cause,
    sinceMs: since === undefined ? undefined : services.clock.now() - since,
  };
}

export const addFailures: AddCommands = (program, run) => {
  withGroupOptions(program.command('failures').description('failed deliveries by receiver and cause'))
    .option('--limit <count>', 'maximum number of groups', positive, 50)
    .action(
      run(async (platform, options: GroupOptions & { limit: number }) => {
        const container = platform.container();
        const group = await groupOf(container, options);
        const causes = await container.services.operations.deliveryGroups.causes(group, options.limit);
        const rows = causes.map(({ receiver, channel, cause, count, users, firstMs, latestMs }) => ({
          receiver: receiver || '-',
          channel,
          count,
          users,
          first: time(firstMs),
          latest: time(latestMs),
          cause: cause || '-',
        }));
        return { data: causes, lines: table(rows, 'no delivery has failed') };
      }),
    );
};
