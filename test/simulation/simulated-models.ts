import type { Sequelize } from 'sequelize';
import { connectModels } from '../../src/storage/models';
import { Trigger } from '../../src/storage/models/trigger.model';
import type { SimulatedConnection, SimulatedPool } from './simulated-pool';

/** The number that MySQL reports with an error, by which Sequelize recognises it. */
const NUMBERS: Readonly<Record<string, number>> = { ER_DUP_ENTRY: 1062, ER_LOCK_DEADLOCK: 1213 };

let sequelize: Sequelize | undefined;
let findPool: () => SimulatedPool;

/**
 * The models on the simulated MySQL. They are global: each transaction, and each statement without one, belongs to the
 * process that is running, whose pool `poolOfRunning` returns.
 */
export function simulatedModels(poolOfRunning: () => SimulatedPool): Sequelize {
  findPool = poolOfRunning;
  // Another database of the same process takes them.
  if (!sequelize || Trigger.sequelize !== sequelize) sequelize = open();
  return sequelize;
}

function open(): Sequelize {
  const opened = connectModels('mysql://simulated');
  const manager = opened as unknown as { connectionManager: object; options: object }; // not in its types
  Object.assign(manager.options, { databaseVersion: '8.0.0' });
  Object.assign(manager.connectionManager, {
    getConnection: async () => new ModelConnection(await findPool().getConnection()),
    releaseConnection: () => undefined,
    destroyConnection: async (connection: ModelConnection) => connection.destroy(),
  });
  return opened;
}

type Callback = (error: unknown, result?: unknown) => void;

/** A connection as Sequelize uses it: with callbacks, and transactions as statements. */
class ModelConnection {
  constructor(private readonly connection: SimulatedConnection) {}

  query({ sql }: { sql: string }, callback: Callback): this {
    return this.execute(sql, [], callback);
  }

  execute(sql: string, values: readonly unknown[], callback: Callback): this {
    this.run(sql, values).then(
      (result) => callback(null, result),
      (error: Error & { code?: string }) => {
        const errno = NUMBERS[error.code ?? ''];
        callback(errno === undefined ? error : Object.assign(error, { errno }));
      },
    );
    return this;
  }

  setMaxListeners(): this {
    return this;
  }

  destroy(): void {
    this.connection.destroy();
  }

  private async run(sql: string, values: readonly unknown[]): Promise<unknown> {
    if (/^SET TRANSACTION/.test(sql)) return []; // all are READ COMMITTED
    if (/^START TRANSACTION/.test(sql)) return this.connection.beginTransaction();
    if (/^COMMIT/.test(sql)) return this.connection.commit();
    if (/^ROLLBACK/.test(sql)) return this.connection.rollback();
    const [result] = await this.connection.query(sql, values);
    return result;
  }
}
