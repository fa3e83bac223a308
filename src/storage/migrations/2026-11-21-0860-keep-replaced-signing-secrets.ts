import type { Migration } from './migration';

/** A replaced signing secret keeps signing for a day; the list is JSON, newest first. */
export const keepReplacedSigningSecrets: Migration = {
  name: '2026-11-21-0860-keep-replaced-signing-secrets',
  up: async (schema) => {
    await schema.addColumn('notifications', 'replaced_secrets', 'TEXT NULL AFTER signing_secret');
  },
  down: async (schema) => {
    await schema.dropColumn('notifications', 'replaced_secrets');
  },
};
