import type { Mute } from '../../edge/mute';
import type { Notification } from '../../storage/models/notification.model';
import type { Trigger } from '../../storage/models/trigger.model';
import type { AudienceInput, PlannedAudience } from '../backtests/audience-reader';
import type { BacktestSubject } from '../backtests/backtests.service';
import { ruleOf } from '../rules/trigger-rule';
import type { Desired } from './desired-rules';
import type { Connection, Reference } from './entry-fields';

type DesiredTrigger = Desired['triggers'][number];

export interface Planned extends Omit<PlannedAudience, 'triggerId'> {
  /** Ids of things that do not exist yet are negative. */
  idOf: (kind: 'notification' | 'trigger', reference: Reference) => number;
}

export function plannedThings({ notifications, triggers, mutes }: Desired): Planned {
  const ids = new Map<string, number>();
  for (const { kind, name, thing } of [...notifications, ...triggers]) {
    if (!thing) ids.set(`${kind} ${name}`, -1 - ids.size);
  }
  const idOf: Planned['idOf'] = (kind, one) => (typeof one === 'number' ? one : (ids.get(`${kind} ${one}`) ?? 0));
  const drafts = notifications.map(
    ({ name, thing, wanted }) => [thing?.row.id ?? idOf('notification', name), wanted.draft] as const,
  );
  const setOf = (list: readonly number[]) => (list.length === 0 ? null : new Set(list));
  return {
    idOf,
    notifications: new Map<number, Notification>(drafts),
    mutes: mutes.map(
      ({ wanted, after }): Mute => ({
        startMs: wanted.startMs ?? null,
        endMs: wanted.endMs ?? null,
        weekly: wanted.weekly ?? null,
        deliversAfter: wanted.deliversAfter === true,
        sensors: setOf(after.sensors as number[]), // ids of sensors
        triggers: setOf((after.triggers as Reference[]).map((one) => idOf('trigger', one))),
      }),
    ),
  };
}

export function subjectBefore(trigger: Trigger): BacktestSubject {
  return { rule: ruleOf(trigger), audience: audience(trigger, trigger) };
}

/** Notifications of single sensors take part as long as those of the trigger stay. */
export function subjectAfter(
  after: DesiredTrigger,
  before: Trigger | undefined,
  { idOf, ...planned }: Planned,
): BacktestSubject {
  const isKept = before && !('notifications' in after.changes);
  const recipients = (after.after.notifications as Connection[]).map((one) => ({
    id: idOf('notification', one.notification),
    afterS: one.after,
  }));
  return {
    rule: ruleOf(after.wanted),
    audience: {
      ...audience(after.wanted, before),
      ...(!isKept && { notifications: recipients }),
      planned: { ...planned, triggerId: before?.id ?? idOf('trigger', after.name) },
    },
  };
}

function audience(content: AudienceInput['content'], trigger: Trigger | undefined): AudienceInput {
  return { content, ...(trigger && { trigger }), withMutes: true, acknowledge: 'never' };
}
