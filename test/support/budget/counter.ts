import { Command } from 'ioredis';
import mysql from 'mysql2';
import type { Pool, RowDataPacket } from 'mysql2/promise';

/** What a process did from one moment to another. */
export interface Counts {
  /** Packets to MySQL, each of one or more statements. */
  packets: number;
  statements: number;
  mysqlBytes: number;
  /** Rows that MySQL inserted, updated and deleted, in temporary tables too. */
  rows: number;
  redisCommands: number;
  redisBytes: number;
  /** Bytes of the heap; buffers are outside of it. */
  allocated: number;
}

type Sent = Omit<Counts, 'rows' | 'allocated'>;
interface MysqlConnection {
  query(statement: string | { sql: string }, ...rest: unknown[]): unknown;
  writePacket(packet: { length(): number }): unknown;
}

/**
 * For a node that collects nothing while something is counted, so that the heap grows by what is allocated. The young
 * generation has room for all of it.
 */
export const HEAP_OPTIONS = [
  ...['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512', '--max-old-space-size=4096'],
  ...['--single-threaded-gc', '--no-opt'],
];

const ROWS = `SHOW GLOBAL STATUS WHERE Variable_name IN ('Handler_write', 'Handler_update', 'Handler_delete')`;

/** Counts what this process sends to MySQL and Redis and what it allocates. One counter for a process. */
export class Counter {
  private sent: Sent = { packets: 0, statements: 0, mysqlBytes: 0, redisCommands: 0, redisBytes: 0 };
  private rowsBefore = 0;
  private heapBefore = 0;

  constructor(private readonly pool: Pool) {
    this.watchMysql();
    this.watchRedis();
  }

  /** Makes room, so that nothing is collected for a while. */
  collect(): void {
    global.gc?.();
  }

  async begin(): Promise<void> {
    this.rowsBefore = await this.rows();
    this.sent = { packets: 0, statements: 0, mysqlBytes: 0, redisCommands: 0, redisBytes: 0 };
    this.heapBefore = process.memoryUsage().heapUsed;
  }

  async end(): Promise<Counts> {
    const allocated = process.memoryUsage().heapUsed - this.heapBefore;
    const { sent } = this;
    this.sent = { ...sent };
    return { ...sent, rows: (await this.rows()) - this.rowsBefore, allocated };
  }

  private async rows(): Promise<number> {
    const [rows] = await this.pool.query<RowDataPacket[]>(ROWS);
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
  }

  private watchMysql(): void {
    const { Connection } = mysql as unknown as { Connection: { prototype: MysqlConnection } }; // not in the types
    const { query, writePacket } = Connection.prototype;
    const counter = this;
    Object.assign(Connection.prototype, {
      query(this: MysqlConnection, statement: string | { sql: string }, ...rest: unknown[]): unknown {
        const sql = typeof statement === 'string' ? statement : statement.sql;
        counter.sent.packets += 1;
        counter.sent.statements += 1;
        for (let at = sql.indexOf('; '); at >= 0; at = sql.indexOf('; ', at + 2)) counter.sent.statements += 1;
        return Reflect.apply(query, this, [statement, ...rest]);
      },
      writePacket(this: MysqlConnection, packet: { length(): number }): unknown {
        counter.sent.mysqlBytes += packet.length();
        return Reflect.apply(writePacket, this, [packet]);
      },
    });
  }

  private watchRedis(): void {
    const { toWritable } = Command.prototype;
    const counter = this;
    Object.assign(Command.prototype, {
      toWritable(this: Command, ...rest: [object]): string | Buffer {
        const bytes = Reflect.apply(toWritable, this, rest);
        counter.sent.redisCommands += 1;
        counter.sent.redisBytes += Buffer.byteLength(bytes);
        return bytes;
      },
    });
  }
}
