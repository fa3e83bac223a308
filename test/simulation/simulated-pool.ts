import type { Pool } from 'mysql2/promise';
import type { SimulatedDatabase } from './database/simulated-database';
import { Blocked, DatabaseError, type Transaction } from './database/transaction';
import type { Scheduler, StepTaker } from './scheduler';

/** Wrong wiring on purpose, to prove that a simulation finds it. */
export interface PlantedFault {
  /** Changes a statement before it runs. */
  rewrite?: (sql: string) => string;
  /** Before these statements all that their transaction did is committed, so that they stand in another one. */
  commitsBefore?: RegExp;
  /** After these statements this one is run as well, with their parameters, and committed at once. */
  afterwards?: { of: RegExp; run: string };
}

/** The simulated MySQL. */
export interface Server {
  database: SimulatedDatabase;
  scheduler: Scheduler;
  isUp: boolean;
  planted: PlantedFault;
}

/** What the platform uses of mysql2's pool, for one process, on the simulated database. */
export class SimulatedPool {
  private readonly connections = new Set<SimulatedConnection>();

  constructor(
    private readonly server: Server,
    private readonly owner: StepTaker,
  ) {}

  /** The parts that are there are those that the platform's path of a data point uses. */
  get asPool(): Pool {
    return this as unknown as Pool;
  }

  async query(sql: string, values: readonly unknown[] = []): Promise<[unknown, []]> {
    const { scheduler } = this.server;
    const connection = new SimulatedConnection(this.server, this.owner);
    this.connections.add(connection);
    const run = () => connection.runAlone(sql, values);
    const answer = await scheduler.step(this.owner, 'statement', run, () => connection.giveUp());
    return [answer, []];
  }

  async getConnection(): Promise<SimulatedConnection> {
    return this.server.scheduler.step(this.owner, 'connect', () => {
      needServer(this.server);
      const connection = new SimulatedConnection(this.server, this.owner);
      this.connections.add(connection);
      return connection;
    });
  }

  /** All connections are gone, with what they had not committed. */
  cut(): void {
    for (const connection of this.connections) connection.cut();
    this.connections.clear();
  }
}

/** One connection, with at most one transaction at a time. */
export class SimulatedConnection {
  private transaction: Transaction | undefined;
  private isCut = false;

  constructor(
    private readonly server: Server,
    private readonly owner: StepTaker,
  ) {}

  async query(sql: string, values: readonly unknown[] = []): Promise<[unknown, []]> {
    // Says nothing but READ COMMITTED.
    if (/^SET TRANSACTION/.test(sql)) return [[], []];
    const { scheduler } = this.server;
    const answer = await scheduler.step(this.owner, 'statement', () => this.run(sql, values));
    return [answer, []];
  }

  async beginTransaction(): Promise<void> {
    const { scheduler, database } = this.server;
    this.transaction = database.begin(this.owner.name, scheduler.nowMs);
  }

  async commit(): Promise<void> {
    const { scheduler, database } = this.server;
    await scheduler.step(this.owner, 'commit', () => {
      this.needConnection();
      if (this.transaction) database.commit(this.transaction, scheduler.nowMs);
    });
  }

  async rollback(): Promise<void> {
    const { scheduler, database } = this.server;
    await scheduler.step(this.owner, 'statement', () => {
      this.needConnection();
      if (this.transaction) database.rollback(this.transaction);
    });
  }

  release(): void {
    // Every use of a connection begins with a new transaction: there is nothing to give back.
  }

  destroy(): void {
    this.cut();
  }

  cut(): void {
    this.isCut = true;
    if (this.transaction) this.server.database.rollback(this.transaction);
  }

  /** A statement of its own lets go of what it had locked; one of a transaction leaves that to whoever began it. */
  giveUp(): void {
    if (this.transaction?.isOpen) this.server.database.rollback(this.transaction);
  }

  /** Runs a statement in a transaction of its own. */
  runAlone(sql: string, values: readonly unknown[]): unknown {
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
