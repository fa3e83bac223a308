import { all, api, ask } from '../../api';
import type { loadReport, ShadowCard } from '../changes/shadow-card';
import { joined, type Step } from './escalation';
import { NO_RULE, type Rule, ruleOf } from './rule';

/** What a trigger is connected to. */
export interface Connections {
  /** The sensors by hand. */
  sensors: readonly string[];
  steps: readonly Step[];
}

/** A trigger to edit. */
export interface Loaded {
  rule: Rule;
  /** As stored. */
  connections: Connections;
  /** Sensors that only the selector connects. */
  selected: readonly string[];
  /** The number of its open alerts. */
  open: number;
  version: number;
  /** Why it cannot work at present. */
  warning?: string;
  shadow?: LoadedShadow | undefined;
}

/** The component is loaded with its shadow, so that nothing moves afterwards. */
export interface LoadedShadow {
  shadow: Awaited<ReturnType<typeof loadReport>>;
  Card: typeof ShadowCard;
}

export const NEW: Loaded = {
  rule: NO_RULE,
  connections: { sensors: [], steps: [] },
  selected: [],
  open: 0,
  version: 0,
};

/** The stored trigger with its connections, and a warning if it cannot work at present. */
export async function loadTrigger(id: string, signal: AbortSignal): Promise<Loaded> {
  const [{ trigger, warning }, placed, { firings }, steps] = await Promise.all([
    ask(api.get('/triggers/{id}', { params: { path: { id } }, signal })),
    all(async (query) => (await ask(api.get('/sensors/triggers', { params: { query }, signal }))).triggers),
    ask(api.get('/firings', { params: { query: { trigger_id: id, state: 'firing', per_page: 1000 } }, signal })),
    loadSteps(id, signal),
  ]);
  const shadow = trigger.has_shadow ? await loadShadow(id, signal) : undefined;
  const here = placed.filter((one) => one.id === id);
  const sensors = here.filter((one) => !one.by_selector).map(({ sensor_id }) => sensor_id);
  const selected = here.filter((one) => one.by_selector).map(({ sensor_id }) => sensor_id);
  const open = new Set(firings.map(({ episode }) => episode)).size;
  const { version } = trigger;
  return { rule: ruleOf(trigger), connections: { sensors, steps }, selected, open, version, warning, shadow };
}

async function loadShadow(id: string, signal: AbortSignal): Promise<LoadedShadow> {
  const { ShadowCard: Card, loadReport } = await import('../changes/shadow-card');
  return { shadow: await loadReport(id, signal), Card };
}

/** The connections as the editor shows them: what holds on each present sensor is a step on all sensors. */
export function editedConnections({ connections: { sensors, steps }, selected }: Loaded): Connections {
  return { sensors, steps: joined(steps, [...sensors, ...selected]) };
}

async function loadSteps(id: string, signal: AbortSignal): Promise<Step[]> {
  const [whole, single] = await Promise.all([
    all(
      async (query) =>
        (await ask(api.get('/triggers/{id}/notifications', { params: { path: { id }, query }, signal }))).notifications,
    ),
    all(
      async (query) =>
        (await ask(api.get('/sensors/triggers/notifications', { params: { query }, signal }))).notifications,
    ),
  ]);
  return [
    ...whole.map((one) => ({ notification: one.id, after: one.after })),
    ...single
      .filter(({ trigger_id }) => trigger_id === id)
      .map((one) => ({ notification: one.id, after: one.after, sensor: one.sensor_id })),
  ];
}
