import type { Pool, PoolConnection, ResultSetHeader } from 'mysql2/promise';

/** A statement that changed rows. */
export interface WatchedChange {
  sql: string;
  affectedRows: number;
}

/**
 * A pool that calls `onChange` for each statement that changed rows, and `onCommit` with those of each transaction, which ends after
 * it. A transaction waits for `beforeCommit`, and sends what `rewrite` makes of its statements.
 */
export function watchPool(
  pool: Pool,
  {
    onChange,
    onCommit,
    beforeCommit,
    rewrite = (sql) => sql,
  }: {
    onChange?: (change: WatchedChange) => void;
    onCommit?: (changes: WatchedChange[]) => void | Promise<void>;
    beforeCommit?: (changes: readonly WatchedChange[]) => Promise<void>;
    rewrite?: (sql: string) => string;
  },
): Pool {
  const watchConnection = (connection: PoolConnection): PoolConnection => {
    let changes: WatchedChange[] = [];
    const query = watchQuery(connection, (change) => {
      changes.push(change);
      onChange?.(change);
    });
    return withMethods(connection, {
      connection: {}, // so that it is given one statement at a time
      query: (sql: string, values?: unknown[]) => query(rewrite(sql), values),
      beginTransaction: async () => {
        changes = [];
        await connection.beginTransaction();
      },
      commit: async () => {
        await beforeCommit?.(changes);
        await connection.commit();
        await onCommit?.(changes);
      },
    });
  };
  return withMethods(pool, {
    query: watchQuery(pool, (change) => onChange?.(change)),
    getConnection: async () => watchConnection(await pool.getConnection()),
  });
}

function watchQuery(target: Pick<Pool, 'query'>, onChange: (change: WatchedChange) => void) {
  return async (sql: string, values?: unknown[]) => {
    const [result, fields] = await target.query<ResultSetHeader>(sql, values);
    if (!Array.isArray(result)) onChange({ sql, affectedRows: result.affectedRows });
    return [result, fields];
  };
}

function withMethods<T extends object>(target: T, methods: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get: (_, key) => {
      if (typeof key === 'string' && key in methods) return methods[key];
      const value = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
