import type { Invariant } from '../storage/invariant';

export const invariants: readonly Invariant[] = [
  {
    name: 'series-lead-to-sensors-of-their-owner',
    wrong: 'the series leads to a sensor of another user',
    sql: 'SELECT n.id FROM series n JOIN sensors s ON s.id = n.sensor_id WHERE s.owner_id <> n.owner_id',
  },
];
