import { ApiError, api, ask, type Records } from '../../api';
import { many, t } from '../../language';
import { changesOf, type Step } from './escalation';
import type { Connections, Loaded } from './load';
import { bodyOf, cycleOf, type Rule } from './rule';
import { selectorOf } from './selector';

/** The API changes at most this many sensors with one request. */
const MOST_SENSORS = 500;

export interface Saved {
  id: string;
  warning?: string | undefined;
  /** What became of its open alerts, in words; empty if there were none. */
  alerts: string;
}

/** What became of open alerts, in words. */
export function alertsOf({ kept, ended }: { kept: number; ended: number }): string {
  return [
    kept && many(kept, '{n} alert stays open.', '{n} alerts stay open.'),
    ended && many(ended, '{n} alert has ended.', '{n} alerts have ended.'),
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * Saves the rule, and connects and disconnects until all choices are applied; nothing that did not change is written.
 * Returns the trigger's id, and a warning if it cannot work.
 */
export async function saveTrigger(
  id: string | undefined,
  before: Loaded,
  rule: Rule,
  after: Connections,
  keep: boolean,
): Promise<Saved> {
  const made = await saveRule(id, before.rule, rule, keep);
  const { id: saved, warning } = made;
  try {
    return { ...made, warning: (await saveConnections(saved, before, after)) ?? warning };
  } catch (error) {
    // A new trigger that could not be connected would watch nothing, and the next attempt would make another one.
    if (id === undefined) await ask(api.delete('/triggers/{id}', { params: { path: { id: saved } } }));
    throw error;
  }
}

async function saveConnections(saved: string, before: Loaded, after: Connections): Promise<string | undefined> {
  const { sensors } = before.connections;
  const removed = sensors.filter((one) => !after.sensors.includes(one));
  await changeSensors(removed, { disconnect_trigger: { id: saved } });
  const added = after.sensors.filter((one) => !sensors.includes(one));
  const connecting = await changeSensors(added, { connect_trigger: { id: saved } });
  const isConnected = ({ sensor }: Step) =>
    sensor === undefined || after.sensors.includes(sensor) || before.selected.includes(sensor);
  const steps = after.steps.filter(isConnected);
  const { connect, disconnect } = changesOf(before.connections.steps.filter(isConnected), steps);
  const showing = await connectSteps(saved, connect);
  await disconnectSteps(saved, disconnect, steps, before.selected);
  return connecting ?? showing;
}

/** Does an action on sensors; returns its warning. Throws if it is refused on one of them. */
async function changeSensors(ids: readonly string[], action: Records['BulkActions']) {
  let warned: string | undefined;
  for (let from = 0; from < ids.length; from += MOST_SENSORS) {
    const sensors = ids.slice(from, from + MOST_SENSORS);
    const { failed, warning } = await ask(api.post('/sensors/bulk', { body: { sensors, action } }));
    const [first] = failed;
    if (first)
      throw new Error(
        many(
          failed.length,
          '{n} sensor was not changed. Sensor {id}: {error}.',
          '{n} sensors were not changed. Sensor {id}: {error}.',
          { id: first.sensor_id, error: first.error },
        ),
      );
    warned ??= warning;
  }
  return warned;
}

/** Connects notifications; returns the first warning. */
async function connectSteps(id: string, steps: readonly Step[]): Promise<string | undefined> {
  let warned: string | undefined;
  const whole = steps.filter(({ sensor }) => sensor === undefined);
  if (whole.length > 0) {
    const body = { notifications: whole.map(referenceOf) };
    warned = (await ask(api.post('/triggers/{id}/notifications', { params: { path: { id } }, body }))).warning;
  }
  for (const step of steps) {
    if (step.sensor === undefined) continue;
    const path = { id: step.sensor, trigger_id: id };
    const { warning } = await ask(
      api.post('/sensors/{id}/triggers/{trigger_id}/notifications', { params: { path }, body: referenceOf(step) }),
    );
    warned ??= warning;
  }
  return warned;
}

function referenceOf({ notification: id, after }: Step) {
  return { notification: { id, after } };
}

/** Disconnects steps. Sensors by hand of which the same is left are changed together. */
async function disconnectSteps(
  id: string,
  steps: readonly Step[],
  left: readonly Step[],
  selected: readonly string[],
): Promise<void> {
  const together = new Map<string, { notifications: string[]; sensors: Set<string> }>();
  for (const { notification, sensor } of steps) {
    if (sensor === undefined || selected.includes(sensor)) {
      await disconnectStep(id, notification, sensor);
      continue;
    }
    const notifications = left.filter((step) => step.sensor === sensor).map((step) => step.notification);
    const key = [...notifications].sort().join();
    const group = together.get(key) ?? { notifications, sensors: new Set() };
    group.sensors.add(sensor);
    together.set(key, group);
  }
  for (const { notifications, sensors } of together.values()) {
    await changeSensors([...sensors], { connect_trigger: { id, notifications } });
  }
}

/** Disconnects a notification from the trigger on all sensors, or on one. It may be disconnected already. */
async function disconnectStep(id: string, notification_id: string, sensor: string | undefined): Promise<void> {
  try {
    if (sensor === undefined) {
      const path = { id, notification_id };
      await ask(api.delete('/triggers/{id}/notifications/{notification_id}', { params: { path } }));
    } else {
      const path = { id: sensor, trigger_id: id, notification_id };
      await ask(
        api.delete('/sensors/{id}/triggers/{trigger_id}/notifications/{notification_id}', { params: { path } }),
      );
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

async function saveRule(id: string | undefined, before: Rule, rule: Rule, keep: boolean): Promise<Saved> {
  const decides = bodyOf(rule);
  if (!decides) throw new Error(t('Choose when it fires: a condition, no data for a time, or both.'));
  const selector = selectorOf(rule.follows);
  if (selector === undefined)
    throw new Error(t('Add a metatag that the sensors must have, or follow no other sensors.'));
  const isSame = JSON.stringify(selector) === JSON.stringify(selectorOf(before.follows));
  const fields = {
    name: rule.name,
    ...decides,
    ...cycleOf(rule),
    group_id: rule.group || null,
    ...(!isSame && { selector }),
  };
  if (id === undefined) {
    const made = await ask(api.post('/triggers', { body: { trigger: fields } }));
    return { id: made.trigger.id, warning: made.warning, alerts: '' };
  }
  const put = (trigger: Records['TriggerChanges']) =>
    ask(api.put('/triggers/{id}', { params: { path: { id } }, body: { trigger, episodes: keep ? 'keep' : 'end' } }));
  const edited = await put({ ...fields, ...(decides.expression === undefined && { expression: null }) });
  if (decides.inactivity === undefined) {
    // Next to an expression a 0 means "not given": alone it removes the inactivity.
    const { kept, ended } = await put({ inactivity: 0 });
    return { id, warning: edited.warning, alerts: alertsOf({ kept, ended: edited.ended + ended }) };
  }
  return { id, warning: edited.warning, alerts: alertsOf(edited) };
}
