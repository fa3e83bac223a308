/** The kinds of things that an event can name as its subject or source. */
export type EventThing =
  | 'sensor'
  | 'environment'
  | 'trigger'
  | 'notification'
  | 'group'
  | 'user'
  | 'device'
  | 'service'
  | 'delivery'
  | 'application'
  | 'key'
  | 'invitation';

export interface EventKind {
  description: string;
  subject: EventThing;
  /** Null if the event concerns only the account of its user. */
  source: 'sensor' | 'environment' | 'group' | null;
}

const kind = (description: string, subject: EventThing, source: EventKind['source'] = null): EventKind => ({
  description,
  subject,
  source,
});

const CATALOGUE = {
  add_sensor: kind('A sensor was created', 'sensor', 'sensor'),
  update_sensor: kind('A sensor was changed', 'sensor', 'sensor'),
  delete_sensor: kind('A sensor was deleted', 'sensor', 'sensor'),
  add_sensor_data: kind('Data points of a sensor were uploaded', 'sensor', 'sensor'),
  add_sensor_user: kind('A sensor was shared with a user', 'user', 'sensor'),
  remove_sensor_user: kind('A sensor is no longer shared with a user', 'user', 'sensor'),
  add_sensor_device: kind('A sensor was added to a device', 'device', 'sensor'),
  remove_sensor_device: kind('A sensor was removed from its device', 'device', 'sensor'),
  add_sensor_sensor: kind('A sensor was connected to a virtual sensor', 'sensor', 'sensor'),
  remove_sensor_sensor: kind('A sensor was disconnected from a virtual sensor', 'sensor', 'sensor'),
  add_sensor_service: kind('A sensor was connected to a service', 'service', 'sensor'),
  remove_sensor_service: kind('A sensor was disconnected from a service', 'service', 'sensor'),
  add_sensor_trigger: kind('A trigger was connected to a sensor', 'trigger', 'sensor'),
  remove_sensor_trigger: kind('A trigger was disconnected from a sensor', 'trigger', 'sensor'),
  fire_trigger: kind('A trigger fired on a sensor', 'trigger', 'sensor'),
  acknowledge_trigger: kind('A firing of a trigger on a sensor was acknowledged', 'trigger', 'sensor'),
  assign_trigger: kind('A firing of a trigger on a sensor was assigned to a user', 'trigger', 'sensor'),
  resolve_trigger: kind('An episode of a trigger on a sensor ended', 'trigger', 'sensor'),
  add_trigger: kind('A trigger was created', 'trigger'),
  update_trigger: kind('A trigger was changed', 'trigger'),
  delete_trigger: kind('A trigger was deleted', 'trigger'),
  shadow_ended: kind('The time of a shadow of a trigger is over', 'trigger'),
  add_notification: kind('A notification was created', 'notification'),
  update_notification: kind('A notification was changed', 'notification'),
  delete_notification: kind('A notification was deleted', 'notification'),
  notification_failing: kind('Alerts of a notification do not arrive', 'notification'),
  probe_failed: kind('A probe of a notification failed for good', 'notification'),
  delivery_failed: kind('A delivery failed for good', 'delivery'),
  add_environment: kind('An environment was created', 'environment'),
  update_environment: kind('An environment was changed', 'environment'),
  delete_environment: kind('An environment was deleted', 'environment'),
  add_environment_sensor: kind('A sensor was added to an environment', 'sensor', 'environment'),
  remove_environment_sensor: kind('A sensor was removed from an environment', 'sensor', 'environment'),
  add_key: kind('A key was created', 'key'),
  delete_key: kind('A key was deleted', 'key'),
  receive_invitation: kind('You were invited to a group or a sensor', 'invitation'),
  authorize_application: kind('An application was allowed to use the account', 'application'),
  revoke_application: kind('What an application was allowed was revoked', 'application'),
  token_reuse_detected: kind('A refresh token of an application was used twice, so its tokens ended', 'application'),
  add_group: kind('A group was created', 'group', 'group'),
  update_group: kind('A group was changed', 'group', 'group'),
  delete_group: kind('A group was deleted', 'group', 'group'),
  add_group_user: kind('A user was added to a group, or asked to join it', 'user', 'group'),
  accept_group_user: kind('A user who had asked to join a group was accepted', 'user', 'group'),
  update_group_user: kind('The rights or the shown details of a member changed', 'user', 'group'),
  remove_group_user: kind('A user left a group or was removed from it', 'user', 'group'),
  add_group_sensor: kind('A sensor was shared into a group', 'sensor', 'group'),
  remove_group_sensor: kind('A sensor was removed from a group', 'sensor', 'group'),
} satisfies Record<string, EventKind>;

export type EventName = keyof typeof CATALOGUE;

export const EVENT_CATALOGUE: Readonly<Record<EventName, EventKind>> = CATALOGUE;

/** Names in the order of the list. */
export const EVENT_NAMES = Object.keys(CATALOGUE) as readonly EventName[]; // the object has no other keys

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(CATALOGUE, name);
}
