import { type PlainText, t } from '../../language';

/** What the words of a record follow from. */
interface Entry {
  action: string;
  /** The status of the answer that refused it. */
  refused: number | null;
  subject: { kind: string } | null;
}

/** What was done, by the first word of an operation. */
const DONE: Readonly<Record<string, PlainText>> = {
  accept: 'accepted',
  acknowledge: 'acknowledged',
  add: 'added',
  apply: 'applied',
  assign: 'assigned',
  attach: 'connected',
  begin: 'begun',
  block: 'blocked',
  cancel: 'cancelled',
  confirm: 'confirmed',
  connect: 'connected',
  create: 'created',
  decline: 'declined',
  delete: 'deleted',
  detach: 'disconnected',
  disconnect: 'disconnected',
  end: 'ended',
  invite: 'created',
  link: 'connected',
  login: 'signed in',
  logout: 'signed out',
  make: 'created',
  publish: 'published',
  redeliver: 'sent again',
  register: 'created',
  remove: 'removed',
  request: 'requested',
  resolve: 'ended',
  restore: 'restored',
  revoke: 'withdrawn',
  rotate: 'renewed',
  share: 'shared',
  switch: 'adopted',
  test: 'tested',
  unblock: 'no longer blocked',
  unlink: 'disconnected',
  unpublish: 'no longer published',
  unshare: 'no longer shared',
  withdraw: 'withdrawn',
};

/** What it was done to, by the other words of an operation, or by the kind of the thing. Several have the name of one. */
const THINGS: Readonly<Record<string, PlainText>> = {
  account: 'Account',
  application: 'Application',
  applicationSecret: 'Secret',
  archive: 'Export or import',
  authorization: 'Access',
  dashboard: 'Dashboard',
  data: 'Data',
  dataRange: 'Data',
  device: 'Device',
  environment: 'Environment',
  environmentSensor: 'Sensor',
  event_notification: 'Event',
  eventNotification: 'Event',
  export: 'Export',
  firing: 'Alert',
  floorPlan: 'Picture',
  group: 'Group',
  groupSensor: 'Sensor',
  groupUser: 'Member',
  identity: 'Identity provider',
  import: 'Import',
  invitation: 'Invitation',
  key: 'Key',
  membership: 'Membership',
  metatag: 'Metatag',
  mqtt_source: 'MQTT source',
  mqttSource: 'MQTT source',
  mute: 'Mute|noun',
  namedDevice: 'Device',
  note: 'Note',
  notification: 'Notification',
  notificationFromTrigger: 'Notification',
  notificationSecret: 'Secret',
  notificationsToTrigger: 'Notification',
  otherSession: 'Session',
  passkey: 'Passkey',
  password: 'Password',
  passwordReset: 'New password',
  person: 'User',
  recoveryCode: 'Recovery codes',
  retention: 'Retention',
  rule: 'Rules',
  sensor: 'Sensor',
  sensorPosition: 'Position',
  series: 'Series',
  service: 'Service',
  session: 'Session',
  shadow: 'Changed rule',
  subEnvironment: 'Environment',
  totp: 'Authenticator app',
  toShadow: 'Changed rule',
  trigger: 'Trigger',
  user: 'Account',
  version: 'Version',
};

/** What a record is about, in words: “Trigger changed”. Pages and operations of operators without words keep their names. */
export function deedOf({ action, refused, subject }: Entry): string {
  // Pages of the sign-in are `oauth/login` and `login/oidc/callback`.
  const [, verb = '', rest = ''] = /^(?:oauth\/)?([a-z]+)(.*)$/.exec(action) ?? [];
  const isSignIn = verb === 'login';
  const named = rest.charAt(0).toLowerCase() + rest.slice(1);
  const thing = isSignIn ? undefined : (wordOf(verb.endsWith('block') ? 'person' : named) ?? wordOf(subject?.kind));
  const done = DONE[verb] ?? 'changed';
  const isPage = /[-/]/.test(action) && !isSignIn;
  if (isPage || !(thing || isSignIn || verb === 'logout')) return action;
  const text = refused === null ? t(done) : t('not {done}', { done: t(done) });
  const words = [thing && t(thing), text].filter(Boolean).join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function wordOf(name = ''): PlainText | undefined {
  return THINGS[name] ?? THINGS[name.replace(/s$/, '')];
}
