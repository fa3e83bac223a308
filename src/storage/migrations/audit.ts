import type { Migration } from './migration';

/** The audit log: a chain of records for each account and each group. */
export const createAudit: Migration = {
  name: '2026-11-30-1900-create-audit',
  up: async (schema) => {
    await schema.createTable('audit_records', RECORDS);
    await schema.createTable('audit_heads', HEADS);
  },
  down: async (schema) => {
    await schema.dropTable('audit_heads');
    await schema.dropTable('audit_records');
  },
};

const CHAIN = 'chain VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL';
const hash = (column: string) => `${column} CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL`;

// No foreign keys: a record outlives what it is about, and inserting one locks no other row.
const RECORDS = `
  ${CHAIN},
  sequence BIGINT UNSIGNED NOT NULL,
  date_ms BIGINT NOT NULL,
  who BIGINT UNSIGNED NULL,
  by_kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  by_id BIGINT UNSIGNED NULL,
  by_name VARCHAR(255) NULL,
  rule_set VARCHAR(255) NULL,
  address VARCHAR(64) NULL,
  action VARCHAR(64) NOT NULL,
  refused SMALLINT UNSIGNED NULL,
  times INT UNSIGNED NOT NULL,
  subject_kind VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
  subject_id BIGINT UNSIGNED NULL,
  subject_name VARCHAR(255) NULL,
  changed MEDIUMTEXT NOT NULL,
  ${hash('previous')},
  ${hash('hash')},
  PRIMARY KEY (chain, sequence),
  KEY audit_records_date (date_ms)`;

// The latest record of a chain, and the first that is kept.
const HEADS = `
  ${CHAIN},
  sequence BIGINT UNSIGNED NOT NULL,
  first_kept BIGINT UNSIGNED NOT NULL,
  date_ms BIGINT NOT NULL,
  ${hash('hash')},
  PRIMARY KEY (chain)`;
