import { toUnixSecondsOrNull } from '../../edge/dates';
import { toNotificationSettings } from '../../notifications';
import type { Mute } from '../../storage/models/mute.model';
import type { Notification } from '../../storage/models/notification.model';
import { toMuteView } from '../mutes/mute.view';
import type { readMute } from '../mutes/mutes.request';
import { lateOf, toTriggerContent } from '../triggers/trigger.view';
import type { TriggerContent } from '../triggers/trigger-versions';

/** Fields of a thing by their names in the API. Other things of the user are ids; those that do not exist yet are names. */
export type Fields = Readonly<Record<string, unknown>>;

export type Reference = number | string;

export interface Connection {
  notification: Reference;
  after: number;
}

export interface Connected {
  sensors: readonly number[];
  notifications: readonly Connection[];
  /** By default the parent in the content. */
  parent?: Reference | undefined;
}

export interface DependencyFields {
  trigger: Reference;
  sensor: unknown;
  wait: number;
}

export const DEFAULTS: Readonly<Record<'notification' | 'trigger' | 'mute', Fields>> = {
  notification: {
    ...{ text: '', person: null, format: 'form', probe: null, enabled: true, method: 'POST', headers: {}, secrets: {} },
    ...{ content_type: null, body: null, body_resolved: null, destination_resolved: null, body_acknowledged: null },
    ...{ destination_acknowledged: null, ca_certificate: null, success: null },
  },
  trigger: {
    ...{ expression: null, inactivity: null, hold: 0, repeat: null, resolve_expression: null, keep_firing_for: 0 },
    ...{ timezone: 'UTC', severity: 'warning', notify_resolved: false, resolved_text: '', late: 'ignore' },
    ...{ selector: null, depends_on: null, sensors: [], notifications: [] },
  },
  // biome-ignore lint/suspicious/noThenProperty: the field of the API is a text, so nothing awaits it
  mute: { start: null, end: null, weekly: null, sensors: [], triggers: [], then: 'drop' },
};

export function triggerFields(content: TriggerContent, { sensors, notifications, parent }: Connected): Fields {
  const { depends_on: dependency, ...fields } = toTriggerContent(content);
  const dependsOn = dependency && {
    trigger: parent ?? Number(dependency.trigger_id),
    sensor: dependency.sensor,
    wait: dependency.wait,
  };
  return {
    ...fields,
    depends_on: dependsOn satisfies DependencyFields | null,
    late: lateOf(content),
    sensors: inOrder(sensors),
    notifications: [...notifications].sort((a, b) => compare(a.notification, b.notification)),
  };
}

export function notificationFields(notification: Notification): Fields {
  return { name: notification.name, ...toNotificationSettings(notification) };
}

export function muteFields(mute: Mute): Fields {
  const { id, created, created_by: _by, sensors, triggers, ...view } = toMuteView(mute);
  return { ...view, sensors: inOrder(sensors.map(Number)), triggers: inOrder(triggers.map(Number)) };
}

type MuteInput = ReturnType<typeof readMute>;

export function wantedMuteFields(
  { startMs = null, endMs = null, weekly = null, deliversAfter }: MuteInput,
  { name, sensors, triggers }: { name: string; sensors: readonly number[]; triggers: readonly Reference[] },
): Fields {
  return {
    name,
    ...{ start: toUnixSecondsOrNull(startMs), end: toUnixSecondsOrNull(endMs), weekly },
    // biome-ignore lint/suspicious/noThenProperty: the field of the API is a text, so nothing awaits it
    then: deliversAfter ? 'deliver' : 'drop',
    ...{ sensors: inOrder(sensors), triggers: inOrder(triggers) },
  };
}

export type Changes = Readonly<Record<string, [before: unknown, after: unknown]>>;

/** Fields that differ; all that are no defaults if there was nothing before. */
export function changesOf(kind: keyof typeof DEFAULTS, before: Fields | null, after: Fields): Changes {
  const names = Object.keys(after).filter((name) => {
    const old = before ? before[name] : DEFAULTS[kind][name];
    return canonical(old) !== canonical(after[name]);
  });
  return Object.fromEntries(names.map((name) => [name, [before ? (before[name] ?? null) : null, after[name]]]));
}

/** JSON in which the order of fields does not matter. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

function inOrder<T extends Reference>(references: readonly T[]): T[] {
  return [...new Set(references)].sort(compare);
}

function compare(a: Reference, b: Reference): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : 1;
}
