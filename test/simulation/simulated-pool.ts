import type { Pool } from 'mysql2/promise';
import type { SimulatedDatabase } from './database/simulated-database';
import { Blocked, DatabaseError, type Transaction } from './database/transaction';
import type { Scheduler, StepTaker } from './scheduler';

/** A deliberate fault, to prove that a simulation finds it. */
export interface PlantedFault {
  /** Changes a statement before it runs. */
  rewrite?: (sql: string) => string;
  /** Commits before these statements, so that they run in another transaction. */
  commitsBefore?: RegExp;
  /** Also runs this statement after those, with their parameters, and commits it at once. */
  afterwards?: { of: RegExp; run: string };
  /** A table without its unique keys that contain a column. */
  withoutKeys?: { table: string; column: string };
  /** How often the number of partitions changes in each simulation with it, besides its disasters. */
  partitionChanges?: number;
}

/** The simulated MySQL. */
export interface Server {
  database: SimulatedDatabase;
  scheduler: Scheduler;
  isUp: boolean;
  planted: PlantedFault;
}

/** The part of mysql2's pool that the platform uses, for one process, on the simulated database. */
export class SimulatedPool {
  private readonly connections = new Set<SimulatedConnection>();

  constructor(
    private readonly server: Server,
    private readonly owner: StepTaker,
  ) {}

  /** It has the parts that the platform's path of a data point uses. */
  get asPool(): Pool {
    return this as unknown as Pool;
  }

  async query(sql: string, values: readonly unknown[] = []): Promise<[unknown, []]> {
    const connection = new SimulatedConnection(this.server, this.owner);
    this.connections.add(connection);
    return connection.query(sql, values);
  }

  async getConnection(): Promise<SimulatedConnection> {
    return this.server.scheduler.step(this.owner, 'connect', () => {
      needServer(this.server);
      const connection = new SimulatedConnection(this.server, this.owner);
      this.connections.add(connection);
      return connection;
    });
  }

  /** Ends all connections and rolls back their uncommitted changes. */
  cut(): void {
    for (const connection of this.connections) connection.cut();
    this.connections.clear();
  }
}

/** One connection, with at most one transaction at a time. */
export class SimulatedConnection {
  private transaction: Transaction | undefined;
  private isInTransaction = false;
  private isCut = false;

  constructor(
    private readonly server: Server,
    private readonly owner: StepTaker,
  ) {}

  async query(sql: string, values: readonly unknown[] = []): Promise<[unknown, []]> {
    const { scheduler } = this.server;
    const [run, giveUp] = this.isInTransaction
      ? [() => this.run(sql, values), undefined]
      : [() => this.runAlone(sql, values), () => this.giveUp()];
    return [await scheduler.step(this.owner, 'statement', run, giveUp), []];
  }

  async beginTransaction(): Promise<void> {
    const { scheduler, database } = this.server;
    this.transaction = database.begin(this.owner.name, scheduler.nowMs);
    this.isInTransaction = true;
  }

  async commit(): Promise<void> {
    const { scheduler, database } = this.server;
    await scheduler.step(this.owner, 'commit', () => {
      this.needConnection();
      if (this.transaction) database.commit(this.transaction, scheduler.nowMs);
    });
    this.isInTransaction = false;
  }

  async rollback(): Promise<void> {
    const { scheduler, database } = this.server;
    await scheduler.step(this.owner, 'statement', () => {
      this.needConnection();
      if (this.transaction) database.rollback(this.transaction);
    });
    this.isInTransaction = false;
  }

  release(): void {
    // Every use of a connection begins with a new transaction, so there is nothing to release.
  }

  destroy(): void {
    this.cut();
  }

  cut(): void {
    this.isCut = true;
    if (this.transaction) this.server.database.rollback(this.transaction);
  }

  /** A statement outside of a transaction releases its locks. */
  private giveUp(): void {
    if (this.transaction?.isOpen) this.server.database.rollback(this.transaction);
  }

  /** Runs a statement in a separate transaction. */
  private runAlone(sql: string, values: readonly unknown[]): unknown {
    this.needConnection();
    const { database, scheduler } = this.server;
    if (!this.transaction?.isOpen) this.transaction = database.begin(this.owner.name, scheduler.nowMs);
    try {
      const answer = database.run(rewritten(sql, this.server), values, this.transaction);
      database.commit(this.transaction, scheduler.nowMs);
      return answer;
    } catch (error) {
      if (!(error instanceof Blocked)) database.rollback(this.transaction);
      throw error;
    }
  }

  private run(sql: string, values: readonly unknown[]): unknown {
    this.needConnection();
    const { database, planted } = this.server;
    const text = rewritten(sql, this.server);
    if (planted.commitsBefore?.test(text)) this.commitHere();
    if (!this.transaction) throw new Error('a statement without a transaction');
    const answer = database.run(text, values, this.transaction);
    if (planted.afterwards?.of.test(text)) {
      database.run(planted.afterwards.run, values, this.transaction);
      this.commitHere();
    }
    return answer;
  }

  private commitHere(): void {
    const { database, scheduler } = this.server;
    if (this.transaction) database.commit(this.transaction, scheduler.nowMs);
    this.transaction = database.begin(this.owner.name, scheduler.nowMs);
  }

  private needConnection(): void {
    if (this.isCut) throw new DatabaseError('PROTOCOL_CONNECTION_LOST');
    needServer(this.server);
  }
}

function needServer({ isUp }: Server): void {
  if (!isUp) throw new DatabaseError('ECONNREFUSED');
}

function rewritten(sql: string, { planted }: Server): string {
  return planted.rewrite ? planted.rewrite(sql) : sql;
}
