import type { Migration } from './migration';

const EXACT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

/** Devices with their owners, and the device of each sensor that is on one. */
export const createDevices: Migration = {
  name: '2026-11-21-0820-create-devices',
  up: async (schema) => {
    await schema.createTable(
      'devices',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       owner_id BIGINT UNSIGNED NOT NULL,
       type VARCHAR(255) ${EXACT} NOT NULL,
       uuid VARCHAR(255) ${EXACT} NOT NULL,
       PRIMARY KEY (id), UNIQUE KEY devices_uuid (owner_id, uuid, type), KEY devices_owner (owner_id, id),
       CONSTRAINT devices_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`,
    );
    await schema.createTable(
      'device_sensors',
      `sensor_id BIGINT UNSIGNED NOT NULL,
       device_id BIGINT UNSIGNED NOT NULL,
       PRIMARY KEY (sensor_id), KEY device_sensors_device (device_id, sensor_id),
       CONSTRAINT device_sensors_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE,
       CONSTRAINT device_sensors_device_fk FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE`,
    );
  },
  down: async (schema) => {
    await schema.dropTable('device_sensors');
    await schema.dropTable('devices');
  },
};
