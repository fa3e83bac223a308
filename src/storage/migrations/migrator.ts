import { QueryTypes, type Sequelize } from 'sequelize';
import type { Umzug } from 'umzug';
import { migrations } from './all';
import { MigrationRecord } from './record';
import { MysqlSchema } from './schema';

/** Goes up and down, without the lease. `beforeStatement` runs before every change. */
export async function migrator(
  sequelize: Sequelize,
  beforeStatement: () => Promise<void> = async () => undefined,
): Promise<Umzug<Sequelize>> {
  // Its command line comes with it, several megabytes in each process, of which nearly all find nothing to migrate.
  const { Umzug } = await import('umzug');
  const schema = new MysqlSchema({
    run: async (sql) => {
      await beforeStatement();
      await sequelize.query(sql);
    },
    read: (sql, values) => sequelize.query(sql, { type: QueryTypes.SELECT, replacements: [...values] }),
  });
  return new Umzug({
    migrations: migrations.map(({ name, up, down }) => ({ name, up: () => up(schema), down: () => down(schema) })),
    context: sequelize,
    storage: new MigrationRecord(sequelize),
    logger: undefined,
  });
}
