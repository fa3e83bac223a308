import { type AddCommands, milliseconds } from '../command';
import { count } from '../text';

/** Workers do so once a minute. */
export const addPurge: AddCommands = (program, run) => {
  program
    .command('purge')
    .description('delete rows past their retention, and the history of deleted things, now instead of once a minute')
    .option('--for <duration>', 'maximum duration', milliseconds, 60_000)
    .action(
      run(async (platform, { for: maxMs }: { for: number }) => {
        const { purge } = platform.container();
        const endMs = performance.now() + maxMs;
        let deleted = 0;
        let runs = 0;
        let latest: number;
        do {
          latest = await purge.run();
          deleted += latest;
          runs += 1;
        } while (latest > 0 && performance.now() < endMs);
        const lines = [`${count(deleted, 'row')} deleted`, ...(latest > 0 ? ['more is left'] : [])];
        return { data: { deleted, runs, isDone: latest === 0 }, lines };
      }),
    );
};
