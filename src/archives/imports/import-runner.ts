import { type Act, actAs, actorOf } from '../../audit';
import type { ReadModel } from '../../edge/read-model';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import type { SecretBox } from '../../platform/secret-box';
import type { Database } from '../../storage';
import type { Slice } from '../jobs/archive-jobs';
import type { ArchiveWork } from '../jobs/archive-work';
import { RefusedArchive } from '../refused-archive';
import { storeData } from './data-step';
import { ImportCheck } from './import-check';
import type { ImportProgress } from './import-progress';
import { Importing, type ImportServices } from './importing';
import { fillEnvironments, makeDashboards, makeEnvironments, makeGroups } from './place-steps';
import { addRules } from './rule-step';
import { connectUsed, makeSensors } from './sensor-steps';
import { configureServices, makeServices } from './service-steps';
import { ZipReader } from './zip-reader';

/** How an import was asked for. */
export interface ImportOptions {
  credential: Caller['credential'];
  /** Sealed. */
  passphrase?: string;
}

/** The owner of sealed passphrases, in the terms of the secret box. */
export function passphraseOwner(ownerId: number): string {
  return `import of ${ownerId}`;
}

/** Goes on where `progress` says, and returns false if the slice has ended before it. */
type Phase = (importing: Importing) => Promise<boolean>;

const check: Phase = async (importing) => {
  await new ImportCheck(importing).run();
  return true;
};

/** The upload is the first. Rules come after the points, so that no old point can fire. */
const PHASES: readonly Phase[] = [
  ...[uploaded, check, makeSensors, makeServices, configureServices, connectUsed, makeEnvironments, fillEnvironments],
  ...[makeGroups, storeData, addRules, makeDashboards],
];

/** Reads an uploaded file and writes what it holds: a worker goes on where another one was killed. */
export class ImportRunner {
  constructor(
    private readonly parts: {
      database: Database;
      services: ImportServices;
      box: SecretBox;
      clock: Clock;
      readModel: () => Promise<ReadModel>;
    },
  ) {}

  /** Returns true if it is complete, false if the slice has ended. Throws RefusedArchive, Overtaken and Stopped. */
  async run(work: ArchiveWork<ImportProgress>, slice: Slice): Promise<boolean> {
    if (work.progress.phase === 0) throw uploadEnded();
    const { database, services, box, clock, readModel } = this.parts;
    const { credential, passphrase }: ImportOptions = JSON.parse(work.options);
    const given = {
      credential,
      passphrase: passphrase === undefined ? undefined : box.open(passphrase, passphraseOwner(work.ownerId)),
    };
    const zip = await ZipReader.open(database.pool, { id: work.id, bytes: work.progress.bytes });
    const using = { database, services, clock, readModel: await readModel() };
    const importing = new Importing(using, work, zip, given, slice);
    for (;;) {
      const phase = PHASES[work.progress.phase];
      if (!phase) break;
      // What is made is on record as made by who asked for the import.
      if (!(await actAs(this.actOf(importing), () => phase(importing)))) return false;
      await work.advance({ phase: work.progress.phase + 1, line: 0 });
    }
    await work.end({ state: 'done' });
    return true;
  }

  private actOf({ caller, ownerId }: Importing): Act {
    const actor = actorOf({ userId: ownerId, credential: caller.credential });
    return { ...actor, address: null, action: 'createImport', dateMs: this.parts.clock.now() };
  }
}

async function uploaded(): Promise<boolean> {
  throw uploadEnded();
}

function uploadEnded(): RefusedArchive {
  return new RefusedArchive(undefined, 'the upload ended too early');
}
