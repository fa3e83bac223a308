import type { Migration } from './migration';

/** An event in a large group may concern more users than 64 kB of ids can name. */
export const widenAudiencesOfEvents: Migration = {
  name: '2026-11-21-0700-widen-audiences-of-events',
  up: async (schema) => {
    await schema.modifyColumn('events', 'audience', 'MEDIUMTEXT NULL');
  },
  down: async (schema) => {
    await schema.modifyColumn('events', 'audience', 'TEXT NULL');
  },
};
