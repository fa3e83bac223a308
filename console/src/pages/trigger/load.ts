import { all, api, ask } from '../../api';
import { bodyOf, cycleOf, type Rule, ruleOf } from './rule';

/** What a trigger watches, and where it reports to. */
export interface Connections {
  sensors: readonly string[];
  notifications: readonly string[];
}

export const NOTHING: Connections = { sensors: [], notifications: [] };

/** A trigger as it is stored; with a warning where it cannot work as things are. */
export async function loadTrigger(
  id: string,
  signal: AbortSignal,
): Promise<{ rule: Rule; connections: Connections; warning?: string }> {
  const [{ trigger, warning }, placed, connected] = await Promise.all([
    ask(api.get('/triggers/{id}', { params: { path: { id } }, signal })),
    all(async (query) => (await ask(api.get('/sensors/triggers', { params: { query }, signal }))).triggers),
    all(
      async (query) =>
        (await ask(api.get('/sensors/triggers/notifications', { params: { query }, signal }))).notifications,
    ),
  ]);
  const sensors = placed.filter((one) => one.id === id).map(({ sensor_id }) => sensor_id);
  const notifications = connected.filter(({ trigger_id }) => trigger_id === id).map((one) => one.id);
  return { rule: ruleOf(trigger), connections: { sensors, notifications: [...new Set(notifications)] }, warning };
}

/**
 * Saves the rule, and connects and disconnects until everything is as it was ticked; returns the trigger's id, and a warning where
 * it cannot work as things are. */
export async function saveTrigger(
  id: string | undefined,
  rule: Rule,
  before: Connections,
  after: Connections,
): Promise<{ id: string; warning: string | undefined }> {
  const { id: saved, warning } = await saveRule(id, rule);
  const warnings = [warning];
  for (const sensor of before.sensors.filter((one) => !after.sensors.includes(one))) {
    const path = { id: sensor, trigger_id: saved };
    await ask(api.delete('/sensors/{id}/triggers/{trigger_id}', { params: { path } }));
  }
  for (const sensor of after.sensors) warnings.push(await connect(sensor, saved, before, after));
  return { id: saved, warning: warnings.findLast(Boolean) };
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

/** Returns a warning of the connection. */
async function connect(sensor: string, trigger: string, before: Connections, after: Connections) {
  const path = { id: sensor, trigger_id: trigger };
  let warning: string | undefined;
  if (!before.sensors.includes(sensor)) {
    ({ warning } = await ask(
      api.post('/sensors/{id}/triggers', { params: { path: { id: sensor } }, body: { trigger: { id: trigger } } }),
    ));
  }
  for (const id of before.notifications.filter((one) => !after.notifications.includes(one))) {
    const one = { ...path, notification_id: id };
    await ask(
      api.delete('/sensors/{id}/triggers/{trigger_id}/notifications/{notification_id}', { params: { path: one } }),
    ).catch(() => {}); // another sensor of the trigger may have it alone
  }
  if (after.notifications.length === 0) return warning;
  const notifications = after.notifications.map((id) => ({ notification: { id } }));
  await ask(
    api.post('/sensors/{id}/triggers/{trigger_id}/notifications', { params: { path }, body: { notifications } }),
  );
  return warning;
}
