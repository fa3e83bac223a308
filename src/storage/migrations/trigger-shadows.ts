import type { Migration } from './migration';

/** Triggers may have shadows: changed rules that are tried on live points and deliver nothing. */
export const createTriggerShadows: Migration = {
  name: '2026-11-30-1000-create-trigger-shadows',
  up: async (schema) => {
    await schema.createTable('trigger_shadows', TRIGGER_SHADOWS);
    await schema.createTable('shadow_states', SHADOW_STATES);
    await schema.createTable('shadow_firings', SHADOW_FIRINGS);
  },
  down: async (schema) => {
    await schema.dropTable('shadow_firings');
    await schema.dropTable('shadow_states');
    await schema.dropTable('trigger_shadows');
  },
};

const TRIGGER_SHADOWS = `
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  trigger_id BIGINT UNSIGNED NOT NULL,
  owner_id BIGINT UNSIGNED NOT NULL,
  expression TEXT NULL,
  inactivity INT UNSIGNED NULL,
  hold INT UNSIGNED NOT NULL,
  repeat_after INT UNSIGNED NULL,
  resolve_expression TEXT NULL,
  keep_firing_for INT UNSIGNED NOT NULL,
  timezone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  created_ms BIGINT NOT NULL,
  until_ms BIGINT NOT NULL,
  ended_ms BIGINT NULL,
  untried BIGINT UNSIGNED NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  UNIQUE KEY trigger_shadows_trigger (trigger_id),
  KEY trigger_shadows_owner (owner_id, ended_ms),
  KEY trigger_shadows_end (ended_ms, until_ms),
  CONSTRAINT trigger_shadows_trigger_fk FOREIGN KEY (trigger_id) REFERENCES triggers (id) ON DELETE CASCADE`;

// A row for each active sensor trigger with a running shadow; the id is that of the sensor trigger. The state is null
// until the first evaluation.
const SHADOW_STATES = `
  id BIGINT UNSIGNED NOT NULL,
  trigger_id BIGINT UNSIGNED NOT NULL,
  due_ms BIGINT NOT NULL,
  state TEXT NULL,
  PRIMARY KEY (id),
  KEY shadow_states_trigger (trigger_id),
  KEY shadow_states_due (due_ms),
  CONSTRAINT shadow_states_sensor_trigger_fk FOREIGN KEY (id) REFERENCES sensor_triggers (id) ON DELETE CASCADE`;

// Rows of a deleted shadow are left to the purge. The first firing of an episode has its end.
const SHADOW_FIRINGS = `
  shadow_id BIGINT UNSIGNED NOT NULL,
  fired_ms BIGINT NOT NULL,
  sensor_trigger_id BIGINT UNSIGNED NOT NULL,
  reason VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  sensor_id BIGINT UNSIGNED NOT NULL,
  episode_ms BIGINT NOT NULL,
  ended_ms BIGINT NULL,
  is_muted BOOLEAN NOT NULL,
  variables MEDIUMTEXT NOT NULL,
  PRIMARY KEY (shadow_id, fired_ms, sensor_trigger_id, reason),
  KEY shadow_firings_open (sensor_trigger_id, ended_ms)`;
