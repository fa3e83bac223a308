import type { Migration } from './migration';

const SERVICE = '(service_id) REFERENCES services (id) ON DELETE CASCADE';

/** Tables, columns and indexes get the names that the code and its documentation use. */
export const renameToStandardTerms: Migration = {
  name: '2026-11-23-0100-rename-to-standard-terms',
  up: async (schema) => {
    await schema.renameTable('ailing_receivers', 'degraded_receivers');
    await schema.renameIndex('degraded_receivers', 'ailing_receivers_since', 'degraded_receivers_since');
    await schema.renameTable('learnings', 'training_jobs');
    await schema.renameIndex('training_jobs', 'learnings_service', 'training_jobs_service');
    await schema.renameIndex('training_jobs', 'learnings_status', 'training_jobs_status');
    await schema.renameForeignKey('training_jobs', 'learnings_service_fk', 'training_jobs_service_fk', SERVICE);
    await schema.renameColumn('sensor_triggers', 'silent_since_ms', 'inactive_since_ms');
  },
  down: async (schema) => {
    await schema.renameColumn('sensor_triggers', 'inactive_since_ms', 'silent_since_ms');
    await schema.renameTable('training_jobs', 'learnings');
    await schema.renameForeignKey('learnings', 'training_jobs_service_fk', 'learnings_service_fk', SERVICE);
    await schema.renameIndex('learnings', 'training_jobs_status', 'learnings_status');
    await schema.renameIndex('learnings', 'training_jobs_service', 'learnings_service');
    await schema.renameTable('degraded_receivers', 'ailing_receivers');
    await schema.renameIndex('ailing_receivers', 'degraded_receivers_since', 'ailing_receivers_since');
  },
};
