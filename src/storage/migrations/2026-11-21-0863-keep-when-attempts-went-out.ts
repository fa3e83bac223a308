import type { Migration } from './migration';

/** When the last attempt of a delivery was sent, and when the response to it arrived. */
export const keepWhenAttemptsWentOut: Migration = {
  name: '2026-11-21-0863-keep-when-attempts-went-out',
  up: async (schema) => {
    await schema.addColumn('deliveries', 'sent_ms', 'BIGINT NULL AFTER created_ms');
    await schema.addColumn('deliveries', 'answered_ms', 'BIGINT NULL AFTER sent_ms');
  },
  down: async (schema) => {
    await schema.dropColumn('deliveries', 'sent_ms');
    await schema.dropColumn('deliveries', 'answered_ms');
  },
};
