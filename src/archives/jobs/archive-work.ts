import type { Pool, ResultSetHeader } from 'mysql2/promise';
import type { Sequelize } from 'sequelize';
import { editTogether } from '../../access/rule-edit';
import type { Archive, ArchiveKind } from '../../storage/models/archive.model';
import { inPoolTransaction, runIn } from '../../storage/transaction';

/** Another worker made the step, or the owner ended the work. */
export class Overtaken extends Error {
  constructor() {
    super('another worker has made this step, or it was cancelled');
  }
}

/** The worker is to stop; another one goes on. */
export class Stopped extends Error {}

/** A piece of a file. */
export interface NewPart {
  entry: string;
  lines: number;
  body: Buffer;
}

/** How the work ends, or waits. */
export interface Ending {
  state: 'done' | 'failed';
  error?: string;
  entry?: string | undefined;
}

const ADVANCE = `UPDATE archives SET step = step + 1, state = 'running', failures = 0, progress = ?, try_again_ms = ?
  WHERE id = ? AND step = ? AND active`;

/** An export or import while a worker makes it. What two workers do at once is written once. */
export class ArchiveWork<Progress extends { parts: number } = { parts: number }> {
  readonly id: number;
  readonly ownerId: number;
  readonly kind: ArchiveKind;
  readonly createdMs: number;
  readonly options: string;
  private step: number;
  private at: Progress;

  constructor(
    private readonly pool: Pool,
    archive: Archive,
  ) {
    const { id, ownerId, kind, createdMs, options, step } = archive;
    this.id = id;
    this.ownerId = ownerId;
    this.kind = kind;
    this.createdMs = createdMs;
    this.options = options;
    this.step = step;
    this.at = JSON.parse(archive.progress) as Progress; // written by the same kind of work
  }

  get progress(): Readonly<Progress> {
    return this.at;
  }

  /** Stores progress and pieces, all or nothing. Throws Overtaken. */
  async advance(changes: Partial<Progress>, parts: readonly NewPart[] = [], tryAgainMs = 0): Promise<void> {
    const progress = { ...this.at, ...changes, parts: this.at.parts + parts.length };
    await inPoolTransaction(this.pool, async (connection) => {
      const [written] = await connection.query<ResultSetHeader>(ADVANCE, [
        ...[JSON.stringify(progress), tryAgainMs, this.id, this.step],
      ]);
      if (written.affectedRows === 0) throw new Overtaken();
      for (const [index, { entry, lines, body }] of parts.entries()) {
        const row = [this.id, this.at.parts + index, entry, lines, body];
        await connection.query('INSERT INTO archive_parts (archive_id, position, entry, line_count, body) VALUES (?)', [
          row,
        ]);
      }
    });
    this.step += 1;
    this.at = progress;
  }

  /** Makes changes of the account, and stores the progress that `work` returns, all or nothing. Throws Overtaken. */
  async together(sequelize: Sequelize, work: () => Promise<Partial<Progress>>): Promise<void> {
    const progress = await editTogether(sequelize, async ({ transaction }) => {
      const run = runIn(sequelize, transaction);
      const own = [this.id, this.step];
      const locked = await run('SELECT 1 FROM archives WHERE id = ? AND step = ? AND active FOR UPDATE', own);
      if (locked.length === 0) throw new Overtaken();
      const after = { ...this.at, ...(await work()) };
      await run(ADVANCE, [JSON.stringify(after), 0, ...own]);
      return after;
    });
    this.step += 1;
    this.at = progress;
  }

  /** Counts a failure until the next step: a worker that dies for it writes nothing. Throws Overtaken. */
  async begin(failures: number): Promise<void> {
    await this.change("state = 'running', failures = ?", [failures]);
  }

  /** Secrets of the options are gone then. Throws Overtaken. */
  async end({ state, error, entry }: Ending): Promise<void> {
    await this.change('state = ?, active = NULL, error = ?, entry = ?, options = ?', [
      ...[state, error ?? null, entry?.slice(0, 255) ?? null],
      '{}',
    ]);
  }

  /** Throws Overtaken. */
  async pause(failures: number, tryAgainMs: number): Promise<void> {
    await this.change('failures = ?, try_again_ms = ?', [failures, tryAgainMs]);
  }

  private async change(what: string, values: unknown[]): Promise<void> {
    const [changed] = await this.pool.query<ResultSetHeader>(
      `UPDATE archives SET step = step + 1, ${what} WHERE id = ? AND step = ? AND active`,
      [...values, this.id, this.step],
    );
    if (changed.affectedRows === 0) throw new Overtaken();
    this.step += 1;
  }
}
