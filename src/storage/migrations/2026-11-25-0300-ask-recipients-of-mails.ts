import { randomBytes } from 'node:crypto';
import type { Migration } from './migration';

/**
 * What the address of a mail has decided about the mails of a user, and how many mails went out in the current hour.
 * Addresses that mails go to by now count as confirmed, so that no alert stops.
 */
export const askRecipientsOfMails: Migration = {
  name: '2026-11-25-0300-ask-recipients-of-mails',
  up: async (schema) => {
    await schema.createTable(
      'mail_recipients',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       owner_id BIGINT UNSIGNED NOT NULL,
       address VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
       secret VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
       confirmed_ms BIGINT NULL,
       unsubscribed_ms BIGINT NULL,
       asked INT UNSIGNED NOT NULL DEFAULT 0,
       created_ms BIGINT NOT NULL,
       PRIMARY KEY (id), UNIQUE KEY mail_recipients_owner_address (owner_id, address),
       CONSTRAINT mail_recipients_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`,
    );
    await schema.createTable(
      'usage_counts',
      `kind VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
       subject VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
       started_ms BIGINT NOT NULL,
       used INT UNSIGNED NOT NULL,
       PRIMARY KEY (kind, subject), KEY usage_counts_started (started_ms)`,
    );
    await schema.addColumn('notifications', 'confirmed', 'BOOLEAN NOT NULL DEFAULT TRUE AFTER destination');
    // Nobody knows this text afterwards, so nobody can compute the secrets made of it.
    const seed = randomBytes(32).toString('hex');
    const secret = (owner: string, address: string) => `SHA2(CONCAT('${seed}', ${owner}, ' ', ${address}), 256)`;
    const insert = (values: string) =>
      schema.changeRows(
        `INSERT IGNORE INTO mail_recipients (owner_id, address, secret, confirmed_ms, unsubscribed_ms, created_ms) ${values}`,
      );
    const of = (condition: string, unsubscribed: string) => `
      SELECT owner_id, LOWER(destination), ${secret('owner_id', 'LOWER(destination)')}, created_ms, ${unsubscribed}, created_ms
      FROM notifications WHERE type = 'email' AND ${condition} ORDER BY id`;
    await insert(of(`disabled_reason = 'unsubscribed'`, 'created_ms'));
    await insert(of('TRUE', 'NULL'));
    await insert(`SELECT id, LOWER(email), ${secret('id', 'LOWER(email)')}, created_ms, NULL, created_ms
      FROM users WHERE email <> '' ORDER BY id`);
  },
  down: async (schema) => {
    await schema.dropColumn('notifications', 'confirmed');
    await schema.dropTable('usage_counts');
    await schema.dropTable('mail_recipients');
  },
};
