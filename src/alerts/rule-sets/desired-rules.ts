import type { NotificationsService } from '../../notifications';
import { NotFound } from '../../platform/errors';
import { paced } from '../../platform/paced';
import type { Notification } from '../../storage/models/notification.model';
import { readMute } from '../mutes/mutes.request';
import { requireTime } from '../mutes/mutes.service';
import { contentOf } from '../triggers/content-input';
import type { TriggerContent } from '../triggers/trigger-versions';
import { readDependency, readTriggerInput } from '../triggers/triggers.request';
import type { TriggersService } from '../triggers/triggers.service';
import { type Changes, changesOf, type Fields, type Reference, triggerFields, wantedMuteFields } from './entry-fields';
import { type NewNotification, notificationAfter, notificationInput, requireHidden } from './notification-entry';
import type { Present } from './present-rules';
import { inEntry, LISTS, type RuleSet } from './read-rule-set';
import { type Identified, identifyAll, References } from './references';
import { requireNoCycle } from './rule-dependencies';
import type { RuleSetMute, RuleSetNotification, RuleSetTrigger } from './rule-sets.request';

export interface DesiredEntry<Wanted> extends Identified {
  before: Fields | null;
  after: Fields;
  changes: Changes;
  /** What the services get. */
  wanted: Wanted;
}

export type WantedMute = ReturnType<typeof readMute> & { name: string };

export interface Desired {
  notifications: DesiredEntry<{ input: NewNotification; draft: Notification }>[];
  triggers: DesiredEntry<TriggerContent>[];
  mutes: DesiredEntry<WantedMute>[];
}

interface Checks {
  /** The document has values of headers and secrets. */
  takesSecrets?: boolean;
  notifications: NotificationsService;
  triggers: TriggersService;
}

/** The id of a trigger that the set creates. */
const NOT_YET = 0;

/** What the set wants, next to what is. Throws the mistakes of the API's requests with their places. */
export async function readDesired(userId: number, set: RuleSet, present: Present, checks: Checks): Promise<Desired> {
  const identified = identifyAll(set, present);
  const references = new References(set, present, identified);
  const desired: Desired = { notifications: [], triggers: [], mutes: [] };
  for await (const entry of paced(identified)) {
    await inEntry(set, { path: entry.path, field: entry.kind }, async () => {
      const index = desired[LISTS[entry.kind]].length;
      if (entry.kind === 'notification') {
        desired.notifications.push(
          await notificationOf(userId, set, { entry, given: at(set.notifications, index) }, checks),
        );
      } else if (entry.kind === 'trigger') {
        desired.triggers.push(await triggerOf(userId, { entry, given: at(set.triggers, index), references }, checks));
      } else desired.mutes.push(muteOf({ entry, given: at(set.mutes, index), references }));
    });
  }
  requireNoCycle(set, present, desired.triggers);
  return desired;
}

async function notificationOf(
  userId: number,
  set: RuleSet,
  { entry, given }: { entry: Identified; given: RuleSetNotification },
  { notifications, takesSecrets = false }: Checks,
): Promise<Desired['notifications'][number]> {
  const before = entry.thing?.kind === 'notification' ? entry.thing.row : undefined;
  if (!takesSecrets) requireHidden(set, given, entry.path, before === undefined);
  const input = notificationInput(given, before);
  const { draft, fields } = await notificationAfter(notifications, userId, input, before);
  return { ...compared(entry, fields), wanted: { input, draft } };
}

async function triggerOf(
  userId: number,
  { entry, given, references }: { entry: Identified; given: RuleSetTrigger; references: References },
  { triggers }: Checks,
): Promise<Desired['triggers'][number]> {
  const { path } = entry;
  const { depends_on: dependency } = given;
  const parent = dependency ? references.thing('trigger', dependency.trigger, `${path}.depends_on.trigger`) : undefined;
  const dependsOn = dependency ? readDependency(dependency, typeof parent === 'number' ? parent : NOT_YET) : null;
  const content = contentOf({ ...readTriggerInput(given), name: ownNameOf(entry), dependsOn });
  const sensors = (given.sensors ?? []).map((name, index) =>
    references.stored('sensor', name, `${path}.sensors[${index}]`),
  );
  const notifications = (given.notifications ?? []).map(({ name, after = 0 }, index) => ({
    notification: references.thing('notification', name, `${path}.notifications[${index}].name`),
    after,
  }));
  const found = { ...compared(entry, triggerFields(content, { sensors, notifications, parent })), wanted: content };
  if (Object.keys(contentChanges(found)).length > 0) await triggers.check(userId, content, entry.thing?.row.id);
  return found;
}

function muteOf({
  entry,
  given,
  references,
}: {
  entry: Identified;
  given: RuleSetMute;
  references: References;
}): Desired['mutes'][number] {
  const { path } = entry;
  const { sensors: sensorNames = [], triggers: triggerNames = [], ...times } = given;
  const wanted = readMute(times);
  requireTime({ startMs: wanted.startMs ?? null, endMs: wanted.endMs ?? null, days: wanted.weekly ? '' : null });
  const stored = (field: 'sensors' | 'triggers') => (entry.thing?.fields[field] ?? []) as number[]; // ids of a mute
  const sensors = sensorNames.map((name, index) =>
    references.stored('sensor', name, `${path}.sensors[${index}]`, stored('sensors')),
  );
  const triggers = triggerNames.map(
    (name, index): Reference => references.thing('trigger', name, `${path}.triggers[${index}]`, stored('triggers')),
  );
  const name = ownNameOf(entry);
  const fields = wantedMuteFields(wanted, { name, sensors, triggers });
  return { ...compared(entry, fields), wanted: { ...wanted, name } };
}

function compared(entry: Identified, after: Fields) {
  const before = entry.thing?.fields ?? null;
  return { ...entry, before, after, changes: changesOf(entry.kind, before, after) };
}

/** Changes of a trigger that make a version. */
export function contentChanges({ changes }: Pick<DesiredEntry<unknown>, 'changes'>): Changes {
  const { sensors, notifications, ...content } = changes;
  return content;
}

function ownNameOf({ keepsOwnName, thing, name }: Identified): string {
  return keepsOwnName && thing ? String(thing.row.name ?? name) : name;
}

function at<T>(list: readonly T[] | undefined, index: number): T {
  const entry = list?.[index];
  if (!entry) throw new NotFound('the entry');
  return entry;
}
