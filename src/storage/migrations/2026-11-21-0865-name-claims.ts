import type { Migration } from './migration';

/** Claims are renewed while their attempt is under way, so their end no longer identifies them: they get an id. */
export const nameClaims: Migration = {
  name: '2026-11-21-0865-name-claims',
  up: async (schema) => {
    await schema.addColumn('deliveries', 'claim', 'BIGINT NULL AFTER claimed_until_ms');
  },
  down: async (schema) => {
    await schema.dropColumn('deliveries', 'claim');
  },
};
