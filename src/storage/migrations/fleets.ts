import type { Migration } from './migration';

/** Fleet services summarise many sensors; their members follow the latest change of the owner's sensors. */
export const createFleets: Migration = {
  name: '2026-11-30-1500-create-fleets',
  up: async (schema) => {
    await schema.createTable('fleets', FLEETS);
    await schema.createTable('fleet_changes', FLEET_CHANGES);
    await schema.addColumn('selector_owners', 'latest_version', 'CHAR(36) CHARACTER SET ascii NULL');
  },
  down: async (schema) => {
    await schema.dropColumn('selector_owners', 'latest_version');
    await schema.dropTable('fleet_changes');
    await schema.dropTable('fleets');
  },
};

// `members` holds four doubles for each member, by its id. `next_due_ms` is 0 while the members have to be compared with
// the inputs of the service, null if the clock changes nothing. `version` counts changes of the field that is read, and
// `read_version` is the one of `members`. `problem` is why members are missing.
const FLEETS = `
  service_id BIGINT UNSIGNED NOT NULL,
  owner_id BIGINT UNSIGNED NOT NULL,
  trigger_id BIGINT UNSIGNED NULL,
  firing_key VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  version INT UNSIGNED NOT NULL DEFAULT 0,
  read_version INT UNSIGNED NOT NULL DEFAULT 0,
  next_due_ms BIGINT NULL DEFAULT 0,
  written_ms BIGINT NOT NULL DEFAULT 0,
  output VARCHAR(1000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  selects BOOLEAN NOT NULL DEFAULT FALSE,
  followed_version CHAR(36) CHARACTER SET ascii NULL,
  problem VARCHAR(255) NULL,
  members MEDIUMBLOB NOT NULL,
  PRIMARY KEY (service_id),
  KEY fleets_owner (owner_id),
  KEY fleets_due (next_due_ms),
  KEY fleets_trigger (trigger_id),
  CONSTRAINT fleets_service_fk FOREIGN KEY (service_id) REFERENCES services (id) ON DELETE CASCADE`;

// What passes append: four doubles for each member with new points. No foreign key: it would lock the service.
const FLEET_CHANGES = `
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  service_id BIGINT UNSIGNED NOT NULL,
  version INT UNSIGNED NOT NULL,
  changes MEDIUMBLOB NOT NULL,
  PRIMARY KEY (id),
  KEY fleet_changes_service (service_id, id)`;
