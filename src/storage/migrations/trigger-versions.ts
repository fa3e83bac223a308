import type { Migration } from './migration';

/** Triggers keep the versions of their rules. Firings from before name none. */
export const createTriggerVersions: Migration = {
  name: '2026-11-30-0630-create-trigger-versions',
  up: async (schema) => {
    await schema.createTable('trigger_versions', TRIGGER_VERSIONS);
    await schema.addColumn('triggers', 'version', 'INT UNSIGNED NOT NULL DEFAULT 1');
    await schema.addColumn('firings', 'trigger_version', 'INT UNSIGNED NULL');
    await schema.addIndex('firings', 'firings_version', ['trigger_id', 'trigger_version']);
    await schema.changeRows(FIRST_VERSIONS);
  },
  down: async (schema) => {
    await schema.dropIndex('firings', 'firings_version');
    await schema.dropColumn('firings', 'trigger_version');
    await schema.dropColumn('triggers', 'version');
    await schema.dropTable('trigger_versions');
  },
};

const TRIGGER_VERSIONS = `
  trigger_id BIGINT UNSIGNED NOT NULL,
  version INT UNSIGNED NOT NULL,
  created_ms BIGINT NOT NULL,
  user_id BIGINT UNSIGNED NOT NULL,
  changed_by VARCHAR(255) NOT NULL,
  changed TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  content MEDIUMTEXT NOT NULL,
  PRIMARY KEY (trigger_id, version),
  CONSTRAINT trigger_versions_trigger_fk FOREIGN KEY (trigger_id) REFERENCES triggers (id) ON DELETE CASCADE`;

const FIRST_VERSIONS = `INSERT IGNORE INTO trigger_versions (trigger_id, version, created_ms, user_id, changed_by, changed, content)
  SELECT id, version, created_ms, owner_id, '', '[]', JSON_OBJECT('name', name, 'expression', expression,
    'inactivity', inactivity, 'hold', hold, 'repeat', repeat_after, 'resolveExpression', resolve_expression,
    'keepFiringFor', keep_firing_for, 'notifyResolved', notify_resolved, 'resolvedText', resolved_text,
    'timezone', timezone, 'severity', severity, 'late', late, 'selector', selector) FROM triggers`;
