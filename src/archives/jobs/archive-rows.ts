import { findOwned } from '../../access/find-owned';
import type { RemovalStep } from '../../access/removal-step';
import type { Page, PageOf } from '../../edge/paging';
import type { Clock } from '../../platform/clock';
import { Conflict } from '../../platform/errors';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Archive, type ArchiveKind } from '../../storage/models/archive.model';
import { ArchivePart } from '../../storage/models/archive-part.model';
import { isDuplicateKey } from '../../storage/mysql-errors';
import { forUpdate, inTransaction } from '../../storage/transaction';
import { KEPT_MS } from '../knobs';

const NAMES: Readonly<Record<ArchiveKind, string>> = { export: 'the export', import: 'the import' };
const BUSY: Readonly<Record<ArchiveKind, string>> = {
  export: 'the export before this one is not over: wait for it, or cancel it',
  import: 'the import before this one is not over: wait for it, or cancel it',
};
const PARTS_AT_ONCE = 50;

/** Lets workers know which archives have work. */
export interface ArchiveQueue {
  enqueueArchives(ids: readonly number[]): Promise<void>;
}

/** What an owner does with exports and imports. */
export class ArchiveRows {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  list(ownerId: number, kind: ArchiveKind, page: Page): Promise<PageOf<Archive>> {
    return findPage(Archive, { where: { ownerId, kind }, order: [['id', 'DESC']] }, page);
  }

  /** Throws NotFound. */
  find(ownerId: number, kind: ArchiveKind, id: number): Promise<Archive> {
    return findOwned(Archive, { id, ownerId, kind }, NAMES[kind]);
  }

  /** Throws Conflict while another one of the kind is not over. */
  async create(
    ownerId: number,
    kind: ArchiveKind,
    given: { options: object; progress: object; tryAgainMs?: number },
  ): Promise<Archive> {
    const createdMs = this.clock.now();
    const fields = {
      ...({ ownerId, kind, state: 'waiting', active: true, createdMs, endsMs: createdMs + KEPT_MS } as const),
      ...{ options: JSON.stringify(given.options), progress: JSON.stringify(given.progress) },
      tryAgainMs: given.tryAgainMs ?? 0,
    };
    try {
      return await inTransaction(this.database.sequelize, (transaction) => Archive.create(fields, { transaction }));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new Conflict(BUSY[kind]);
    }
  }

  /** Ends it, if it is not over, and forgets its file. Throws NotFound. */
  async cancel(ownerId: number, kind: ArchiveKind, id: number): Promise<Archive> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const where = { id, ownerId, kind };
      const archive = await findOwned(Archive, where, NAMES[kind], forUpdate(transaction));
      const ended = { state: 'cancelled', active: null, options: '{}', step: archive.step + 1 } as const;
      return archive.update(ended, { transaction });
    });
  }
}

/** Deletes the exports and imports of a closed account. */
export const deleteArchives: RemovalStep = async (ownerId, { transaction }) => {
  const archive = await Archive.findOne({ where: { ownerId }, order: ['id'], transaction });
  if (!archive) return false;
  const parts = { where: { archiveId: archive.id }, limit: PARTS_AT_ONCE, transaction };
  if ((await ArchivePart.destroy(parts)) === 0) await archive.destroy({ transaction });
  return true;
};
