import type { Migration } from './migration';

const COLUMNS: readonly (readonly [name: string, definition: string])[] = [
  ['preset', 'VARCHAR(40) NULL'],
  ['method', 'VARCHAR(8) NULL'],
  ['headers', 'TEXT NULL'],
  ['secrets', 'MEDIUMTEXT NULL'],
  ['content_type', 'VARCHAR(100) NULL'],
  ['body', 'MEDIUMTEXT NULL'],
  ['body_resolved', 'MEDIUMTEXT NULL'],
  ['destination_resolved', 'VARCHAR(2000) NULL'],
  ['ca_certificate', 'TEXT NULL'],
];

/** The requests of notifications to URLs, as their owners shape them; and what an attempt could not evaluate in them. */
export const shapeWebhooks: Migration = {
  name: '2026-11-26-1107-shape-webhooks',
  up: async (schema) => {
    for (const [name, definition] of COLUMNS) await schema.addColumn('notifications', name, definition);
    await schema.addColumn('delivery_attempts', 'note', 'VARCHAR(500) NULL');
  },
  down: async (schema) => {
    await schema.dropColumn('delivery_attempts', 'note');
    for (const [name] of [...COLUMNS].reverse()) await schema.dropColumn('notifications', name);
  },
};
