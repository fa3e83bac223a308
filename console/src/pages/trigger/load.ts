import { all, api, ask, type Records } from '../../api';
import { bodyOf, cycleOf, type Rule, ruleOf } from './rule';

/** The sensors and the notifications of a trigger. */
export interface Connections {
  sensors: readonly string[];
  notifications: readonly string[];
}

/** The API changes at most this many sensors with one request. */
const MOST_SENSORS = 500;

export const NOTHING: Connections = { sensors: [], notifications: [] };

/**
 * The stored trigger with its connections by hand, the number of sensors that only its selector connects, and a warning
 * if it cannot work at present.
 */
export async function loadTrigger(
  id: string,
  signal: AbortSignal,
): Promise<{ rule: Rule; connections: Connections; selected: number; warning?: string }> {
  const [{ trigger, warning }, placed, connected] = await Promise.all([
    ask(api.get('/triggers/{id}', { params: { path: { id } }, signal })),
    all(async (query) => (await ask(api.get('/sensors/triggers', { params: { query }, signal }))).triggers),
    all(
      async (query) =>
        (await ask(api.get('/sensors/triggers/notifications', { params: { query }, signal }))).notifications,
    ),
  ]);
  const here = placed.filter((one) => one.id === id);
  const sensors = here.filter((one) => !one.by_selector).map(({ sensor_id }) => sensor_id);
  const notifications = connected.filter(({ trigger_id }) => trigger_id === id).map((one) => one.id);
  const connections = { sensors, notifications: [...new Set(notifications)] };
  return { rule: ruleOf(trigger), connections, selected: here.length - sensors.length, warning };
}

/**
 * Saves the rule, and connects and disconnects until all choices are applied. Returns the trigger's id, and a warning
 * if it cannot work.
 */
export async function saveTrigger(
  id: string | undefined,
  rule: Rule,
  before: Connections,
  after: Connections,
): Promise<{ id: string; warning: string | undefined }> {
  const { id: saved, warning } = await saveRule(id, rule);
  const removed = before.sensors.filter((one) => !after.sensors.includes(one));
  await changeSensors(removed, { disconnect_trigger: { id: saved } });
  const { notifications } = after;
  const connecting = await changeSensors(after.sensors, {
    connect_trigger: { id: saved, notifications: [...notifications] },
  });
  return { id: saved, warning: connecting ?? warning };
}

/** Does an action on sensors; returns its warning. Throws if it is refused on one of them. */
async function changeSensors(ids: readonly string[], action: Records['BulkActions']) {
  let warned: string | undefined;
  for (let from = 0; from < ids.length; from += MOST_SENSORS) {
    const sensors = ids.slice(from, from + MOST_SENSORS);
    const { failed, warning } = await ask(api.post('/sensors/bulk', { body: { sensors, action } }));
    const [first] = failed;
    if (first) throw new Error(`${failed.length} sensors were not changed. Sensor ${first.sensor_id}: ${first.error}.`);
    warned ??= warning;
  }
  return warned;
}

async function saveRule(id: string | undefined, rule: Rule): Promise<{ id: string; warning?: string }> {
  const decides = bodyOf(rule);
  if (!decides) throw new Error('Say when it fires: a condition, a time without data, or both.');
  if (id === undefined) {
    const trigger = { name: rule.name, ...decides, ...cycleOf(rule) };
    const made = await ask(api.post('/triggers', { body: { trigger } }));
    return { id: made.trigger.id, warning: made.warning };
  }
  const changes = {
    name: rule.name,
    ...decides,
    ...cycleOf(rule),
    ...(decides.expression === undefined && { expression: null }),
  };
  const { warning } = await ask(api.put('/triggers/{id}', { params: { path: { id } }, body: { trigger: changes } }));
  if (decides.inactivity === undefined) {
    // Next to an expression a 0 means "not given": alone it removes the inactivity.
    await ask(api.put('/triggers/{id}', { params: { path: { id } }, body: { trigger: { inactivity: 0 } } }));
  }
  return { id, warning };
}
