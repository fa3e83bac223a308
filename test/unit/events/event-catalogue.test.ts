import assert from 'node:assert/strict';
import { EVENT_CATALOGUE, EVENT_NAMES, isEventName } from '../../../src/events/event-catalogue';

const things = ['sensor', 'environment', 'trigger', 'notification', 'group'];
const pairs = [
  'sensor_user',
  'sensor_device',
  'sensor_sensor',
  'sensor_service',
  'sensor_trigger',
  'environment_sensor',
];
const documented = [
  ...things.flatMap((thing) => [`add_${thing}`, `update_${thing}`, `delete_${thing}`]),
  ...pairs.flatMap((pair) => [`add_${pair}`, `remove_${pair}`]),
  ...[
    'add_sensor_data',
    'fire_trigger',
    'acknowledge_trigger',
    'assign_trigger',
    'resolve_trigger',
    'shadow_ended',
    'delivery_failed',
    'notification_failing',
    'probe_failed',
    'add_key',
    'delete_key',
    'receive_invitation',
    'add_group_sensor',
    'remove_group_sensor',
  ],
  ...['add_group_user', 'accept_group_user', 'update_group_user', 'remove_group_user'],
  ...['authorize_application', 'revoke_application', 'token_reuse_detected'],
];

describe('the catalogue of events', () => {
  it('contains exactly the documented names', () => {
    assert.deepEqual([...EVENT_NAMES].sort(), documented.sort());
  });

  it('has a unique description of each event', () => {
    const descriptions = EVENT_NAMES.map((name) => EVENT_CATALOGUE[name].description);
    assert.equal(new Set(descriptions).size, descriptions.length);
    for (const description of descriptions) assert.match(description, /^[A-Z][\w' ,]+$/);
  });

  it('has the added, removed or fired record as subject, and its place as source', () => {
    const places = (names: string[]) =>
      names.map((name) => {
        assert.ok(isEventName(name));
        return [EVENT_CATALOGUE[name].subject, EVENT_CATALOGUE[name].source];
      });
    assert.deepEqual(places(['add_group_user', 'fire_trigger', 'add_sensor_data', 'add_environment_sensor']), [
      ['user', 'group'],
      ['trigger', 'sensor'],
      ['sensor', 'sensor'],
      ['sensor', 'environment'],
    ]);
    assert.deepEqual(places(['add_sensor', 'delete_group', 'add_trigger', 'update_environment']), [
      ['sensor', 'sensor'],
      ['group', 'group'],
      ['trigger', null],
      ['environment', null],
    ]);
  });

  it('does not treat inherited properties of objects as events', () => {
    for (const name of ['toString', '__proto__', 'constructor', '']) assert.equal(isEventName(name), false);
  });
});
