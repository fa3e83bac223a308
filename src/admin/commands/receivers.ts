import { receiverOf } from '../../notifications';
import { InvalidInput } from '../../platform/errors';
import { parseUrl } from '../../platform/parse-url';
import { type AddCommands, positive, type Run } from '../command';
import { count, table, time } from '../text';

/** Reads `host:port`, a URL, or `smtp`. Throws InvalidInput. */
export function receiverNamed(text: string): string {
  if (parseUrl(text)?.host && /^https?:/.test(text)) return receiverOf('url', text);
  if (text === receiverOf('email', '')) return text;
  // Parsed as a URL, which normalises the host.
  const named = /:\d{1,5}$/.test(text) ? receiverOf('url', `http://${text}/`) : 'none';
  if (named === 'none') throw new InvalidInput(`${text} is no receiver: name it as host:port, as a URL, or as smtp`);
  return named;
}

export const addReceivers: AddCommands = (program, run) => {
  const receivers = program.command('receivers').description('who gets deliveries: list, pause, resume');
  receivers
    .command('list')
    .description('receivers that are paused, fail, or have deliveries waiting')
    .option('--limit <count>', 'maximum number of receivers', positive, 50)
    .action(list(run));
  receivers
    .command('pause')
    .description('begin no attempt to a receiver until it is resumed; its deliveries wait and lose no attempt')
    .argument('<receiver>', 'host:port, a URL, or smtp for mails')
    .option('--reason <text>', 'why, for other operators', '')
    .action(pause(run));
  receivers
    .command('resume')
    .description('let attempts to a receiver begin again')
    .argument('<receiver>', 'host:port, a URL, or smtp for mails')
    .action(resume(run));
};

const list = (run: Run) =>
  run(async (platform, { limit }: { limit: number }) => {
    const receivers = await platform.container().services.operations.pausedReceivers.list(limit);
    const rows = receivers.map(({ receiver, pending, throttled, underWay, failures, pausedSinceMs, reason }) => ({
      receiver: receiver || '-',
      pending,
      throttled,
      'under way': underWay,
      'failures in a row': failures,
      paused: time(pausedSinceMs),
      reason: reason || '-',
    }));
    return { data: receivers, lines: table(rows, 'no receiver is paused, fails, or has deliveries waiting') };
  });

const pause = (run: Run) =>
  run(async (platform, text: string, { reason }: { reason: string }) => {
    const receiver = receiverNamed(text);
    const { pausedReceivers } = platform.container().services.operations;
    const isNew = await pausedReceivers.pause(receiver, reason.slice(0, 255));
    const underWay = await pausedReceivers.underWay(receiver);
    const ending = `${count(underWay, 'attempt')} under way, which will end within a minute`;
    const lines = [`${receiver} ${isNew ? 'is paused' : 'was paused already'}`, ...(underWay > 0 ? [ending] : [])];
    return { data: { receiver, paused: true, changed: isNew, underWay }, lines };
  });

const resume = (run: Run) =>
  run(async (platform, text: string) => {
    const receiver = receiverNamed(text);
    const changed = await platform.container().services.operations.pausedReceivers.resume(receiver);
    const lines = [changed ? `${receiver} is resumed` : `${receiver} was not paused`];
    return { data: { receiver, paused: false, changed }, lines };
  });
