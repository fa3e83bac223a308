import { HIDDEN, isDigested, type NotificationsService, readNotification } from '../../notifications';
import type { Notification } from '../../storage/models/notification.model';
import { DEFAULTS, type Fields, notificationFields } from './entry-fields';
import type { RuleSet } from './read-rule-set';
import type { RuleSetNotification } from './rule-sets.request';

export type NewNotification = Parameters<NotificationsService['draftNew']>[1];

/** Only requests to URLs have these. */
const REQUEST = [
  ...['method', 'headers', 'secrets', 'content_type', 'body', 'body_resolved', 'destination_resolved'],
  ...['body_acknowledged', 'destination_acknowledged', 'ca_certificate', 'success'],
] as const;

/** A request that gives all fields: those that the entry leaves out get their defaults. */
export function notificationInput(entry: RuleSetNotification, before: Notification | undefined): NewNotification {
  const { type, digest, id, name, ...given } = entry;
  const defaults = Object.entries(DEFAULTS.notification).filter(
    ([field]) => type === 'url' || !(REQUEST as readonly string[]).includes(field),
  );
  const whole: RuleSetNotification = { ...Object.fromEntries(defaults), ...given, type, name };
  const isDigest = digest ?? isDigested({ digest: null, type });
  const { name: ownName, ...rest } = readNotification(whole);
  return {
    ...rest,
    type,
    ...(!(before && id !== undefined) && { name: ownName }),
    ...(before ? isDigested(before) !== isDigest && { digest: isDigest } : { digest }),
  };
}

/** Fields as they will be. Throws as the services of notifications do. */
export async function notificationAfter(
  notifications: NotificationsService,
  userId: number,
  input: NewNotification,
  before: Notification | undefined,
): Promise<{ draft: Notification; fields: Fields }> {
  const { probe = null, enabled = true } = input;
  const draft = before
    ? await notifications.draftChange(userId, before.id, input)
    : notifications.draftNew(userId, input);
  draft.set({ probeS: probe, enabled });
  return { draft, fields: notificationFields(draft) };
}

/** Values of headers and secrets are never written into rules. */
export function requireHidden(set: RuleSet, entry: RuleSetNotification, path: string, isNew: boolean): void {
  if (entry.subscription) {
    const why = 'is a secret of a browser: enable push in the console of this browser';
    throw set.text.mistake(`${path}.subscription`, why);
  }
  for (const field of ['headers', 'secrets'] as const) {
    for (const [name, value] of Object.entries(entry[field] ?? {})) {
      const at = `${path}.${field}.${name}`;
      if (value !== HIDDEN) throw set.text.mistake(at, `must be "${HIDDEN}": the API or the console stores the value`);
      if (isNew)
        throw set.text.mistake(at, 'has no stored value: create the notification by the API or in the console first');
    }
  }
}
