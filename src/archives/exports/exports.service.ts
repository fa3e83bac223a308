import type { Page, PageOf } from '../../edge/paging';
import type { Caller, SessionCaller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Forbidden, NotFound, SessionRequired } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import type { Database } from '../../storage';
import { Archive } from '../../storage/models/archive.model';
import { User } from '../../storage/models/user.model';
import type { ArchivedServices } from '../archived-services';
import type { ArchiveQueue, ArchiveRows } from '../jobs/archive-rows';
import { deriveKey } from '../passphrase';
import { EXPORT_BEGIN } from './export-runner';
import { type ExportOptions, keyOwner } from './text-sections';
import { openZip } from './zip-file';

const LINK = 'file of an export';

/** What lets secrets leave: an MD5 digest, and the text that encrypts them. */
export interface SecretsGiven {
  password: string;
  passphrase: string;
}

/** An export, and the address of its file once it is done. */
export interface LinkedExport {
  archive: Archive;
  file: string | null;
}

interface Parts {
  database: Database;
  clock: Clock;
  rows: ArchiveRows;
  box: SecretBox;
  jobQueue: ArchiveQueue;
  reauthentication: ArchivedServices['reauthentication'];
  publicUrl: string;
}

export class ExportsService {
  constructor(private readonly parts: Parts) {}

  /** Throws Forbidden for an application, as all but `open` do. */
  async list(caller: Caller, page: Page): Promise<PageOf<LinkedExport>> {
    const { items, total } = await this.parts.rows.list(ownerOf(caller), 'export', page);
    return { items: items.map((archive) => this.linked(archive)), total };
  }

  async find(caller: Caller, id: number): Promise<LinkedExport> {
    return this.linked(await this.parts.rows.find(ownerOf(caller), 'export', id));
  }

  /**
   * Throws Conflict while another one is not over, Forbidden for a wrong password, TooMany after many of them, and
   * SessionRequired if a key or a token asks for secrets.
   */
  async create(caller: Caller, secrets: SecretsGiven | undefined): Promise<LinkedExport> {
    const ownerId = ownerOf(caller);
    const options = secrets ? await this.seal(caller, secrets) : {};
    const { rows, jobQueue } = this.parts;
    const archive = await rows.create(ownerId, 'export', { options, progress: EXPORT_BEGIN });
    await jobQueue.enqueueArchives([archive.id]);
    return this.linked(archive);
  }

  /** Forgets its file as well. Throws NotFound. */
  async cancel(caller: Caller, id: number): Promise<void> {
    await this.parts.rows.cancel(ownerOf(caller), 'export', id);
  }

  /** The file of a link. Throws NotFound for a link that is void. */
  async open(id: number, token: string) {
    const { box, clock, database } = this.parts;
    const link = box.openUntil<{ id: number }>(token, LINK, clock.now());
    const archive = link?.id === id ? await Archive.findByPk(id) : null;
    const owner = archive && (await User.findByPk(archive.ownerId));
    const isUsable = archive?.state === 'done' && owner && !owner.disabledMs && !owner.closedMs;
    if (!isUsable) throw new NotFound('the file');
    return { ...(await openZip(database.pool, archive)), createdMs: archive.createdMs };
  }

  private async seal(caller: Caller, { password, passphrase }: SecretsGiven): Promise<ExportOptions> {
    const { box, reauthentication } = this.parts;
    if (!isSession(caller)) throw new SessionRequired();
    await reauthentication.requirePassword(caller, await User.findByPk(caller.userId), password);
    return { key: box.seal(JSON.stringify(await deriveKey(passphrase)), keyOwner(caller.userId)) };
  }

  private linked(archive: Archive): LinkedExport {
    if (archive.kind !== 'export' || archive.state !== 'done') return { archive, file: null };
    const { box, publicUrl } = this.parts;
    const token = box.sealUntil({ id: archive.id }, LINK, archive.endsMs);
    return { archive, file: `${publicUrl}/exports/${archive.id}/file?token=${token}` };
  }
}

/** Everything of an account has its history, which no application gets. */
function ownerOf({ userId, credential }: Caller): number {
  if (credential.kind === 'session' || credential.kind === 'key') return userId;
  throw new Forbidden('an application may not export the account');
}

function isSession(caller: Caller): caller is SessionCaller {
  return caller.credential.kind === 'session';
}
