/** Sensors, their data points, and how users find and share them. */
export const sensorTables: Readonly<Record<string, string>> = {
  sensors: `
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    owner_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) NOT NULL,
    display_name VARCHAR(255) NOT NULL DEFAULT '',
    type TINYINT UNSIGNED NOT NULL DEFAULT 0,
    device_type VARCHAR(255) NOT NULL DEFAULT '',
    data_type_id VARCHAR(255) NOT NULL DEFAULT '0',
    pager_type VARCHAR(255) NOT NULL DEFAULT '',
    data_type VARCHAR(255) NOT NULL DEFAULT '',
    data_structure TEXT NOT NULL,
    use_data_storage BOOLEAN NOT NULL DEFAULT TRUE,
    created_ms BIGINT NOT NULL,
    retention_days SMALLINT UNSIGNED NULL,
    PRIMARY KEY (id),
    KEY sensors_owner (owner_id, id),
    KEY sensors_name (owner_id, name, id),
    KEY sensors_retention (retention_days, id),
    CONSTRAINT sensors_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`,
  sensor_users: `
    sensor_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (sensor_id, user_id),
    KEY sensor_users_user (user_id, sensor_id),
    CONSTRAINT sensor_users_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE,
    CONSTRAINT sensor_users_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE`,
  // Sensors whose shares a user refuses, because the user removed themselves from them.
  refused_shares: `
    user_id BIGINT UNSIGNED NOT NULL,
    sensor_id BIGINT UNSIGNED NOT NULL,
    owner_id BIGINT UNSIGNED NOT NULL,
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (user_id, sensor_id),
    KEY refused_shares_owner (user_id, owner_id),
    KEY refused_shares_sensor (sensor_id),
    CONSTRAINT refused_shares_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE,
    CONSTRAINT refused_shares_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE`,
  // A version for each user, which changes with the number of their sensors. A count of sensors is valid while it
  // stays the same.
  sensor_list_versions: `
    owner_id BIGINT UNSIGNED NOT NULL,
    version CHAR(36) CHARACTER SET ascii NOT NULL,
    PRIMARY KEY (owner_id),
    CONSTRAINT sensor_list_versions_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`,
  // The sensors that each virtual sensor uses.
  connected_sensors: `
    sensor_id BIGINT UNSIGNED NOT NULL,
    used_sensor_id BIGINT UNSIGNED NOT NULL,
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (sensor_id, used_sensor_id),
    KEY connected_sensors_used (used_sensor_id),
    CONSTRAINT connected_sensors_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE,
    CONSTRAINT connected_sensors_used_fk FOREIGN KEY (used_sensor_id) REFERENCES sensors (id) ON DELETE CASCADE`,
  // One row per value. Each row repeats the owner of the sensor, so that a search among the sensors of one user
  // reads no rows of others. `value_key` is the value as text in lower case. Names, values and keys are bytes: texts
  // that differ only in trailing spaces are different, and an index over characters would be too large.
  metatags: `
    sensor_id BIGINT UNSIGNED NOT NULL,
    namespace VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    name VARBINARY(32) NOT NULL,
    position INT UNSIGNED NOT NULL,
    owner_id BIGINT UNSIGNED NOT NULL,
    value VARBINARY(700) NOT NULL,
    value_key VARBINARY(800) NOT NULL,
    PRIMARY KEY (sensor_id, namespace, name, position),
    KEY metatags_value (owner_id, namespace, name, value_key, sensor_id),
    KEY metatags_distinct (owner_id, namespace, name, value),
    CONSTRAINT metatags_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE`,
  devices: `
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    owner_id BIGINT UNSIGNED NOT NULL,
    type VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    uuid VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY devices_uuid (owner_id, uuid, type),
    KEY devices_owner (owner_id, id),
    CONSTRAINT devices_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`,
  device_sensors: `
    sensor_id BIGINT UNSIGNED NOT NULL,
    device_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (sensor_id),
    KEY device_sensors_device (device_id, sensor_id),
    CONSTRAINT device_sensors_device_fk FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
    CONSTRAINT device_sensors_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE`,
  environments: `
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    owner_id BIGINT UNSIGNED NOT NULL,
    parent_id BIGINT UNSIGNED NULL,
    name VARCHAR(255) NOT NULL,
    floors INT UNSIGNED NULL,
    gps_outline TEXT NOT NULL,
    position VARCHAR(255) NOT NULL DEFAULT '',
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (id),
    KEY environments_owner (owner_id, id),
    KEY environments_parent (parent_id, id),
    CONSTRAINT environments_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT environments_parent_fk FOREIGN KEY (parent_id) REFERENCES environments (id) ON DELETE SET NULL`,
  // A shared sensor can be in an environment of each user who sees it, but in only one per user.
  environment_sensors: `
    owner_id BIGINT UNSIGNED NOT NULL,
    sensor_id BIGINT UNSIGNED NOT NULL,
    environment_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (sensor_id, owner_id),
    KEY environment_sensors_environment (environment_id, sensor_id),
    CONSTRAINT environment_sensors_environment_fk FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE,
    CONSTRAINT environment_sensors_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE`,
  // No foreign key to sensors: a sensor with millions of points is deleted at once, and the purge deletes its
  // points. `delay_s` is the time from the date of a point to its arrival.
  data_points: `
    sensor_id BIGINT UNSIGNED NOT NULL,
    date_ms BIGINT NOT NULL,
    value TEXT NOT NULL,
    delay_s INT NOT NULL,
    PRIMARY KEY (sensor_id, date_ms)`,
};
