import { auditModels } from '../audit';
import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import type { SecretBox } from '../platform/secret-box';
import type { Database } from '../storage';
import { auditedModels } from './audited-models';
import { ExportRunner } from './exports/export-runner';
import { ExportsService } from './exports/exports.service';
import { ImportRunner } from './imports/import-runner';
import type { ImportServices } from './imports/importing';
import { ImportsService } from './imports/imports.service';
import { ArchiveJobs } from './jobs/archive-jobs';
import { type ArchiveQueue, ArchiveRows } from './jobs/archive-rows';
import { forgottenArchivesTask } from './jobs/forgotten-archives';
import { readModels } from './request-models';

interface Parts {
  config: Config;
  clock: Clock;
  database: Database;
  jobQueue: ArchiveQueue;
  secretBox: SecretBox;
  publicUrl: string;
  services: ImportServices;
}

export function buildArchives({ config, database, clock, jobQueue, secretBox: box, publicUrl, services }: Parts) {
  auditModels(auditedModels);
  const rows = new ArchiveRows(database, clock);
  const { reauthentication } = services;
  const exporting = new ExportRunner(database, services, box);
  const importing = new ImportRunner({ database, services, box, clock, readModel: readModels });
  const mostBytes = config.importMaxBytes;
  return {
    purgeTask: forgottenArchivesTask(database.pool, clock),
    archiveJobs: new ArchiveJobs(database, clock, {
      export: (work, { isOver }) => exporting.run(work, isOver),
      import: (work, slice) => importing.run(work, slice),
    }),
    services: {
      exports: new ExportsService({ database, clock, rows, box, jobQueue, reauthentication, publicUrl }),
      imports: new ImportsService({ database, clock, rows, box, jobQueue, mostBytes }),
    },
  };
}
