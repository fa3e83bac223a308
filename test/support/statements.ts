import type { Platform } from './platform';

/** The statements that a platform sends to MySQL during `work`, through models and through its pools for everything else. */
export async function statementsOf({ container }: Platform, work: () => Promise<unknown>): Promise<string[]> {
  const { sequelize, pool, reads } = container.database;
  const options: object = Reflect.get(sequelize, 'options'); // the library's types leave it out
  const statements: string[] = [];
  const originals = [pool, reads].map((each) => ({ each, query: each.query }));
  Object.assign(options, { logging: (sql: string) => statements.push(sql) });
  for (const { each, query } of originals) {
    const recorded = (...args: unknown[]): unknown => {
      statements.push(String(args[0]));
      return Reflect.apply(query, each, args);
    };
    Object.assign(each, { query: recorded });
  }
  try {
    await work();
  } finally {
    Object.assign(options, { logging: false });
    for (const { each, query } of originals) Object.assign(each, { query });
  }
  return statements;
}
