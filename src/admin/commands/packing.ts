import { type AddCommands, milliseconds } from '../command';
import { count } from '../text';

export const addPacking: AddCommands = (program, run) => {
  program
    .command('pack')
    .description('pack old points into chunks now; workers do it within hours')
    .action(
      run(async (platform) => {
        const { chunkAfterMs } = platform.config;
        if (chunkAfterMs === 0) throw new Error('CHUNK_AFTER_HOURS is 0: no points are packed');
        const result = await platform.container().packing.pack();
        return { data: result, lines: [`${count(result.chunks, 'chunk')} written`] };
      }),
    );
  program
    .command('unpack')
    .description('make rows of all chunks, as before downgrading; first set CHUNK_AFTER_HOURS=0 for all processes')
    .option('--wait <duration>', 'how long exports that have begun may still read chunks', milliseconds, 300_000)
    .action(
      run(async (platform, { wait }: { wait: number }) => {
        if (platform.config.chunkAfterMs > 0) {
          throw new Error('CHUNK_AFTER_HOURS must be 0, here and for all workers: they would pack the points again');
        }
        const result = await platform.container().packing.unpack(wait);
        return { data: result, lines: [`${count(result.chunks, 'chunk')} unpacked`] };
      }),
    );
};
