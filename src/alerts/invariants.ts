import type { Invariant } from '../storage/invariant';

export const invariants: readonly Invariant[] = [
  {
    name: 'inactivities-in-their-bucket',
    wrong: 'the sensor trigger is in another bucket than its sensor, so its inactivity is never found',
    sql: 'SELECT id FROM sensor_triggers WHERE due_bucket <> MOD(sensor_id, 64)',
  },
  {
    name: 'inactivities-watched',
    wrong: 'the sensor trigger is active and watches an inactivity, but has no time at which it is due',
    sql: `SELECT c.id FROM sensor_triggers c JOIN triggers t ON t.id = c.trigger_id
          JOIN users u ON u.id = t.owner_id AND u.disabled_ms IS NULL
          WHERE c.active AND t.inactivity IS NOT NULL AND c.due_at_ms IS NULL`,
  },
  {
    name: 'inactivities-of-triggers-with-one',
    wrong: 'the sensor trigger is due at some time, but its trigger watches no inactivity',
    sql: `SELECT c.id FROM sensor_triggers c JOIN triggers t ON t.id = c.trigger_id
          WHERE t.inactivity IS NULL AND c.due_at_ms IS NOT NULL`,
  },
  {
    name: 'selectors-know-their-connections',
    wrong: 'a selector connected the sensor trigger, but its trigger has no selector, so it is never disconnected',
    sql: `SELECT c.id FROM sensor_triggers c JOIN triggers t ON t.id = c.trigger_id
          WHERE c.by_selector AND t.selected_sensors IS NULL`,
  },
];
