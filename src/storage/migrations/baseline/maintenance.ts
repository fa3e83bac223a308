/** The work of the maintenance. */
export const maintenanceTables: Readonly<Record<string, string>> = {
  // Deleted things whose history the purge deletes.
  purge_queue: `
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    kind VARCHAR(16) NOT NULL,
    thing_id BIGINT UNSIGNED NOT NULL,
    created_ms BIGINT NOT NULL,
    retry_at_ms BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (id),
    UNIQUE KEY purge_queue_thing (kind, thing_id)`,
  // Unused. The release before the baseline still reads it, and may run next to this one.
  purges: `
    sensor_id BIGINT UNSIGNED NOT NULL,
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (sensor_id)`,
  // How far each task of the maintenance is, and which worker does it.
  maintenance_cursors: `
    name VARCHAR(64) NOT NULL,
    position BIGINT UNSIGNED NOT NULL DEFAULT 0,
    lease BIGINT UNSIGNED NULL,
    lease_until_ms BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (name)`,
};
