import { isMigrated } from '../../storage/migrations';
import type { AddCommands } from '../command';

export const addMigrate: AddCommands = (program, run) => {
  program
    .command('migrate')
    .description('bring the schema up to date; safe while other processes do the same, and after a kill')
    .option('--check', 'change nothing; fail if migrations are pending')
    .action(
      run(async (platform, { check = false }: { check?: boolean }) => {
        const { database } = platform.container();
        const wasCurrent = await isMigrated(database.sequelize);
        if (check && !wasCurrent) throw new Error('migrations are pending');
        if (!wasCurrent) await database.migrate();
        const lines = [wasCurrent ? 'the schema was up to date' : 'the schema is up to date now'];
        return { data: { current: true, changed: !wasCurrent }, lines };
      }),
    );
};
