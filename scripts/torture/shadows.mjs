// Shadows with the rules of their triggers: each must do what its trigger does, and a switch to it must change nothing,
// whatever is killed.
import { setTimeout as sleep } from 'node:timers/promises';

const SWITCH_EVERY_MS = 8_000;

/** Begins a shadow of most triggers. */
export async function prepareShadows(client, load) {
  for (const id of shadowedOf(load)) await begin(client, id);
}

/** Switches to one shadow after the other, and begins it again, until `isOver()`. */
export async function switchShadows(client, load, isOver) {
  const ids = shadowedOf(load);
  for (let at = 0; !isOver(); at = (at + 1) % ids.length) {
    await sleep(SWITCH_EVERY_MS);
    await tolerant(client.post(`/triggers/${ids[at]}/shadow/switch`, {}));
    await begin(client, ids[at]);
  }
}

function shadowedOf({ triggers, alerts, doors, selected }) {
  const others = [alerts[0]?.triggerId, doors[0]?.trigger, selected.trigger].filter((id) => id !== undefined);
  return [...Object.values(triggers), ...others];
}

function begin(client, id) {
  return tolerant(client.post(`/triggers/${id}/shadow`, { shadow: { days: 31 } }));
}

/** Repeated after a lost answer, a request finds that it was done. */
async function tolerant(request) {
  await request.catch((error) => {
    if (!/404|409/.test(String(error))) throw error;
  });
}

const LACKS = 'firings of a trigger that its shadow lacks';
const MORE = 'firings of a shadow that its trigger lacks';
const ENDS = 'episodes of a shadow that ended at another time';
const LIVE = `SELECT f.sensor_trigger_id, f.reason, f.fired_ms, f.muted, IF(f.resolved_by = 'data', f.ended_ms, 0) AS ended
  FROM trigger_shadows s JOIN firings f ON f.trigger_id = s.trigger_id AND f.fired_ms > s.created_ms`;
const OWN = `SELECT f.sensor_trigger_id, f.reason, f.fired_ms, f.is_muted, f.ended_ms
  FROM trigger_shadows s JOIN shadow_firings f ON f.shadow_id = s.id`;

/** Counts firings that the shadow alone or the trigger alone has, and ends by data at other times. */
export async function judgeShadows(rows) {
  const result = { count: 0, untried: 0, remarks: [], faults: { [LACKS]: 0, [MORE]: 0, [ENDS]: 0 } };
  const own = new Map((await rows(OWN)).map((row) => [keyOf(row, row.is_muted), row]));
  const live = await rows(LIVE);
  result.count = own.size;
  for (const row of live) {
    const twin = own.get(keyOf(row, row.muted));
    own.delete(keyOf(row, row.muted));
    if (!twin) {
      result.faults[LACKS] += 1;
      result.remarks.push(`the shadow lacks the firing ${keyOf(row, row.muted)}`);
    } else if (row.ended && row.ended !== twin.ended_ms) result.faults[ENDS] += 1;
  }
  result.faults[MORE] = own.size;
  result.remarks.push(...[...own.keys()].map((key) => `the shadow alone has the firing ${key}`));
  const [{ untried }] = await rows("SELECT SUM(JSON_EXTRACT(state, '$.untried')) AS untried FROM shadow_states");
  result.untried = Number(untried ?? 0);
  return result;
}

function keyOf({ sensor_trigger_id: id, reason, fired_ms: firedMs }, isMuted) {
  return `${id} ${reason} ${firedMs} ${isMuted}`;
}
