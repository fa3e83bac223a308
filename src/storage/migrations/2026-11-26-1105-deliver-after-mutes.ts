import type { Migration } from './migration';

/** Whether a mute delivers at its end what still fires. */
export const deliverAfterMutes: Migration = {
  name: '2026-11-26-1105-deliver-after-mutes',
  up: (schema) => schema.addColumn('mutes', 'delivers_after', 'BOOLEAN NOT NULL DEFAULT FALSE'),
  down: (schema) => schema.dropColumn('mutes', 'delivers_after'),
};
