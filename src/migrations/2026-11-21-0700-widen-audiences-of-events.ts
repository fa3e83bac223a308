import type { Migration } from './migration';

/** An event in a large group may concern more users than 64 kB of ids can name. */
export const widenAudiencesOfEvents: Migration = {
  name: '2026-11-21-0700-widen-audiences-of-events',
  up: async (run) => {
    await run('ALTER TABLE events MODIFY audience MEDIUMTEXT NULL');
  },
  down: async (run) => {
    await run('ALTER TABLE events MODIFY audience TEXT NULL');
  },
};
