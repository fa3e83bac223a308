import { NotFound } from '../../platform/errors';
import { type AddCommands, positive, type Run } from '../command';
import { table, time } from '../text';

export const addQuarantine: AddCommands = (program, run) => {
  const quarantine = program
    .command('quarantine')
    .description('work that was set aside because it ended its processes: list, release');
  quarantine.command('list').description('the work that is set aside, the latest first').action(list(run));
  quarantine
    .command('release')
    .description('let work be tried again, once its cause is gone')
    .argument('<kind>', 'as the list names it')
    .argument('<id>', 'as the list names it', positive)
    .action(release(run));
};

const list = (run: Run) =>
  run(async (platform) => {
    const work = await platform.container().quarantine.read();
    const rows = work.map(({ kind, thingId, ownerId, deaths, sinceMs, expiresMs, reason }) => ({
      kind,
      id: thingId,
      user: ownerId ?? '-',
      deaths,
      since: time(sinceMs),
      until: time(expiresMs),
      reason,
    }));
    return { data: work, lines: table(rows, 'no work is set aside') };
  });

const release = (run: Run) =>
  run(async (platform, kind: string, id: number) => {
    const released = await platform.container().quarantine.release(kind, id);
    if (!released) throw new NotFound(`work of the kind ${kind} with the id ${id}`);
    return { data: { kind, id, released }, lines: [`${kind} ${id} is released`] };
  });
