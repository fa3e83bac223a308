import type { SecretBox } from '../../platform/secret-box';
import type { Database } from '../../storage';
import type { ArchivedServices } from '../archived-services';
import { readEntries } from '../jobs/archive-parts';
import type { ArchiveWork } from '../jobs/archive-work';
import { dataSection } from './data-section';
import { groupSection } from './group-records';
import { alertSection, auditSection } from './history-records';
import { dashboardSection, environmentSection } from './place-records';
import { manifestOf, readMe } from './read-me';
import type { Cursor, Pieces, Section } from './section';
import { sensorSection } from './sensor-records';
import { serviceSection } from './service-records';
import { accountSection, ruleSection, secretSection } from './text-sections';

/** Where the next step begins. */
export interface ExportProgress {
  parts: number;
  section: number;
  cursor: Cursor | null;
  sensors: number;
  points: number;
}

export const EXPORT_BEGIN: ExportProgress = { parts: 0, section: 0, cursor: null, sensors: 0, points: 0 };

/** Writes the pieces of an export, one after the other: a worker goes on where another one was killed. */
export class ExportRunner {
  private readonly sections: readonly Section[];

  constructor(
    private readonly database: Database,
    { dashboards, archivedRules, auditLog }: ArchivedServices,
    box: SecretBox,
  ) {
    this.sections = [
      ...[sensorSection(database), accountSection(), ruleSection(archivedRules), serviceSection()],
      ...[environmentSection(), groupSection(database), dashboardSection(dashboards), secretSection(box)],
      ...[alertSection(database), auditSection(auditLog), dataSection(database)],
    ];
  }

  /** Returns true if it is complete, false if `isOver` has ended the slice. Throws Overtaken. */
  async run(work: ArchiveWork<ExportProgress>, isOver: () => boolean): Promise<boolean> {
    while (work.progress.section < this.sections.length) {
      if (!(await this.runSection(work, isOver))) return false;
      await work.advance({ section: work.progress.section + 1, cursor: null });
    }
    if (work.progress.section === this.sections.length) await this.describe(work);
    await work.end({ state: 'done' });
    return true;
  }

  private async describe(work: ArchiveWork<ExportProgress>): Promise<void> {
    const manifest = manifestOf(await readEntries(this.database.pool, work.id), work.createdMs);
    await work.advance({ section: this.sections.length + 1 }, [
      { entry: 'manifest.json', lines: 0, body: Buffer.from(manifest) },
      { entry: 'README.txt', lines: 0, body: Buffer.from(readMe()) },
    ]);
  }

  /** Reads on while a piece is written: at most two are in memory. */
  private async runSection(work: ArchiveWork<ExportProgress>, isOver: () => boolean): Promise<boolean> {
    const { section, cursor } = work.progress;
    let writing: Promise<void> = Promise.resolve();
    for await (const read of this.sections[section]?.(work, cursor) ?? []) {
      await writing;
      writing = write(work, read);
      writing.catch(() => undefined); // awaited below
      if (isOver()) {
        await writing;
        return false;
      }
    }
    await writing;
    return true;
  }
}

function write(work: ArchiveWork<ExportProgress>, { entry, pieces, cursor, points = 0 }: Pieces): Promise<void> {
  const { progress } = work;
  const isSensors = entry === 'sensors.ndjson';
  const lines = pieces.reduce((sum, piece) => sum + piece.lines, 0);
  const counts = { sensors: progress.sensors + (isSensors ? lines : 0), points: progress.points + points };
  const parts = pieces.map(({ lines: count, text }) => ({ entry, lines: count, body: text }));
  return work.advance({ cursor, ...counts }, parts);
}
