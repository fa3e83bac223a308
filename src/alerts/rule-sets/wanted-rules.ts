import { parseId } from '../../edge/id';
import type { WantedRules } from './present-rules';
import type { RuleSet } from './read-rule-set';

/** What a document names. */
export function wantedOf({ set, notifications = [], triggers = [], mutes = [] }: RuleSet): WantedRules {
  const idsIn = (texts: readonly (string | undefined)[]) => texts.flatMap((text) => parseId(text ?? '') ?? []);
  const connected = triggers.flatMap((one) => one.notifications ?? []).map(({ name }) => name);
  const muted = mutes.flatMap((one) => one.triggers ?? []);
  const parents = triggers.flatMap((one) => one.depends_on?.trigger ?? []);
  const sensors = [...triggers, ...mutes].flatMap((one) => one.sensors ?? []);
  const own = <T extends { name: string; id?: string }>(entries: readonly T[], others: readonly string[] = []) => ({
    names: [...new Set([...entries.map(({ name }) => name), ...others])],
    ids: idsIn([...entries.map(({ id }) => id), ...others]),
  });
  const all = {
    notification: own(notifications, connected),
    trigger: own(triggers, [...muted, ...parents]),
    mute: own(mutes),
  };
  return {
    set,
    names: { notification: all.notification.names, trigger: all.trigger.names, mute: all.mute.names },
    ids: { notification: all.notification.ids, trigger: all.trigger.ids, mute: all.mute.ids },
    sensorNames: [...new Set(sensors)],
    sensorIds: idsIn(sensors),
  };
}
