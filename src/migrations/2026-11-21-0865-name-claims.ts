import type { Migration } from './migration';

/** A claim is renewed while its attempt is under way, so it needs a name: its end does not tell it from another. */
export const nameClaims: Migration = {
  name: '2026-11-21-0865-name-claims',
  up: async (schema) => {
    await schema.addColumn('deliveries', 'claim', 'BIGINT NULL AFTER claimed_until_ms');
  },
  down: async (schema) => {
    await schema.dropColumn('deliveries', 'claim');
  },
};
