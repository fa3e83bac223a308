import type { NotificationSecrets } from '../../alerts';
import type { ReadModel } from '../../edge/read-model';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import type { DataPointsService } from '../../points';
import type { Database } from '../../storage';
import type { ArchivedServices } from '../archived-services';
import type { Slice } from '../jobs/archive-jobs';
import { type ArchiveWork, Stopped } from '../jobs/archive-work';
import { decrypt } from '../passphrase';
import { RefusedArchive } from '../refused-archive';
import type { ImportProgress, LeftOut, MappedKind } from './import-progress';
import { readText } from './lines';
import { Records } from './records';
import type { ZipReader } from './zip-reader';

const MOST_SECRETS = 50_000_000;
const MOST_LEFT = 1_000;

/** What the steps of an import share. */
export interface ImportServices extends ArchivedServices {
  dataPoints: DataPointsService;
}

/** An import while a slice of it runs. */
export class Importing {
  readonly records: Records;
  readonly ownerId: number;
  readonly caller: Pick<Caller, 'userId' | 'credential'>;

  readonly database: Database;
  readonly services: ImportServices;
  readonly readModel: ReadModel;
  readonly clock: Clock;

  constructor(
    using: { database: Database; services: ImportServices; readModel: ReadModel; clock: Clock },
    readonly work: ArchiveWork<ImportProgress>,
    readonly zip: ZipReader,
    private readonly given: { credential: Caller['credential']; passphrase: string | undefined },
    private readonly slice: Slice,
  ) {
    this.database = using.database;
    this.services = using.services;
    this.readModel = using.readModel;
    this.clock = using.clock;
    this.records = new Records(using.readModel);
    this.ownerId = work.ownerId;
    this.caller = { userId: work.ownerId, credential: given.credential };
  }

  isOver(): boolean {
    return this.slice.isOver();
  }

  /** The id in the account of what has this id in the file. */
  idOf(kind: MappedKind, id: string): number | undefined {
    const { ids } = this.work.progress;
    return Object.hasOwn(ids[kind], id) ? Number(ids[kind][id]) : undefined;
  }

  /** The progress with another thing that is done. */
  mapped(
    kind: MappedKind,
    done: readonly { old: string; id: number; isMade: boolean }[],
    changes: Partial<ImportProgress> = {},
  ): Partial<ImportProgress> {
    const { ids, made, counts } = this.work.progress;
    const fresh = done.filter(({ isMade }) => isMade);
    const before = counts[kind];
    const after = { made: before.made + fresh.length, kept: before.kept + done.length - fresh.length };
    return {
      ids: { ...ids, [kind]: { ...ids[kind], ...Object.fromEntries(done.map(({ old, id }) => [old, String(id)])) } },
      made: [...made, ...fresh.map(({ old }) => `${kind} ${old}`)],
      counts: { ...counts, [kind]: after },
      ...changes,
    };
  }

  isMade(kind: MappedKind, id: string): boolean {
    return this.work.progress.made.includes(`${kind} ${id}`);
  }

  leftOut(...more: readonly LeftOut[]): LeftOut[] {
    return [...this.work.progress.left, ...more].slice(0, MOST_LEFT);
  }

  /** The secrets of the file; none without a passphrase. Throws RefusedArchive if it is wrong. */
  async secrets(): Promise<Record<string, NotificationSecrets>> {
    const name = 'secrets.enc';
    const { passphrase } = this.given;
    const text = await readText(this.zip, name, MOST_SECRETS);
    if (text === undefined || passphrase === undefined) return {};
    let sealed: unknown;
    try {
      sealed = JSON.parse(text);
    } catch {
      throw new RefusedArchive(name, 'the entry is no JSON');
    }
    const opened = await decrypt(sealed, passphrase);
    if (opened === undefined) throw new RefusedArchive(name, 'the passphrase is wrong');
    return Object(JSON.parse(opened)).notifications ?? {};
  }

  /** Throws Stopped if the worker is to stop: another one begins the present step again. */
  requireGoing(): void {
    if (this.slice.isStopped()) throw new Stopped();
  }
}
