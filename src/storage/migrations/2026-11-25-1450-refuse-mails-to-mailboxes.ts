import type { Migration } from './migration';

/** Mailboxes whose holders want no mail of any account, by the hash under which mails are counted. */
export const refuseMailsToMailboxes: Migration = {
  name: '2026-11-25-1450-refuse-mails-to-mailboxes',
  up: (schema) =>
    schema.createTable(
      'refused_mailboxes',
      `mailbox CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
       refused_ms BIGINT NOT NULL,
       PRIMARY KEY (mailbox)`,
    ),
  down: (schema) => schema.dropTable('refused_mailboxes'),
};
