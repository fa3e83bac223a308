import type { Invariant } from '../storage/invariant';

export const invariants: readonly Invariant[] = [
  {
    name: 'environments-hold-for-their-owner',
    wrong: 'the environment of another user holds the sensor',
    sql: `SELECT x.sensor_id AS id FROM environment_sensors x JOIN environments e ON e.id = x.environment_id
          WHERE x.owner_id <> e.owner_id`,
  },
  {
    name: 'sensors-do-not-use-themselves',
    wrong: 'the sensor is connected to itself',
    sql: 'SELECT sensor_id AS id FROM connected_sensors WHERE sensor_id = used_sensor_id',
  },
];
