import type { Platform } from './platform';

/** The statements that a platform sends to MySQL during `work`, through models and through its pool for everything else. */
export async function statementsOf({ container }: Platform, work: () => Promise<unknown>): Promise<string[]> {
  const { sequelize, pool } = container.database;
  const options: object = Reflect.get(sequelize, 'options'); // the library's types leave it out
  const statements: string[] = [];
  const query = pool.query.bind(pool);
  const recorded = (...args: Parameters<typeof query>) => {
    statements.push(String(args[0]));
    return query(...args);
  };
  Object.assign(options, { logging: (sql: string) => statements.push(sql) });
  Object.assign(pool, { query: recorded });
  try {
    await work();
  } finally {
    Object.assign(options, { logging: false });
    Object.assign(pool, { query });
  }
  return statements;
}
