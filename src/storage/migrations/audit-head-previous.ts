import type { Migration } from './migration';

/** The hash before the latest, so that one statement moves the head and the next one inserts the record from it. */
export const addPreviousToHeads: Migration = {
  name: '2026-11-30-2100-audit-head-previous',
  up: (schema) => schema.addColumn('audit_heads', 'previous', PREVIOUS),
  down: (schema) => schema.dropColumn('audit_heads', 'previous'),
};

const PREVIOUS = "CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '' AFTER date_ms";
