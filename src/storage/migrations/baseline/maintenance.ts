/** The work of the maintenance. */
export const maintenanceTables: Readonly<Record<string, string>> = {
  // Deleted things whose history the purge deletes, with their former owners.
  purge_queue: `
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    kind VARCHAR(16) NOT NULL,
    thing_id BIGINT UNSIGNED NOT NULL,
    created_ms BIGINT NOT NULL,
    retry_at_ms BIGINT NOT NULL DEFAULT 0,
    owner_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY purge_queue_thing (kind, thing_id),
    KEY purge_queue_owner (owner_id, retry_at_ms)`,
  // How far each task of the maintenance is, and which worker does it.
  maintenance_cursors: `
    name VARCHAR(64) NOT NULL,
    position BIGINT UNSIGNED NOT NULL DEFAULT 0,
    lease BIGINT UNSIGNED NULL,
    lease_until_ms BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (name)`,
  // Work that ended its processes and was set aside.
  quarantine: `
    kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    thing_id BIGINT UNSIGNED NOT NULL,
    owner_id BIGINT UNSIGNED NULL,
    deaths INT UNSIGNED NOT NULL,
    paused_until_ms BIGINT NOT NULL,
    since_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    reason VARCHAR(500) NOT NULL,
    PRIMARY KEY (kind, thing_id),
    KEY quarantine_expires (expires_ms)`,
  // No foreign key: an action stays when its user is gone.
  operator_actions: `
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    date_ms BIGINT NOT NULL,
    operator VARCHAR(255) NOT NULL,
    action VARCHAR(32) CHARACTER SET ascii NOT NULL,
    user_id BIGINT UNSIGNED NULL,
    subject VARCHAR(500) NOT NULL,
    PRIMARY KEY (id),
    KEY operator_actions_date (date_ms),
    KEY operator_actions_user (user_id, id)`,
  // The load of the platform of the last two days.
  minute_samples: `
    minute_ms BIGINT NOT NULL,
    name VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    value DOUBLE NOT NULL,
    PRIMARY KEY (minute_ms, name)`,
  user_hours: `
    user_id BIGINT UNSIGNED NOT NULL,
    hour_ms BIGINT NOT NULL,
    points BIGINT UNSIGNED NOT NULL DEFAULT 0,
    deliveries BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, hour_ms),
    KEY user_hours_hour (hour_ms)`,
};
