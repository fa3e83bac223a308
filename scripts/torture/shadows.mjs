// Shadows with the rules of their triggers: each must do what its trigger does, whatever is killed.

/** Begins a shadow of most triggers. */
export async function prepareShadows(client, { triggers, alerts, doors, selected }) {
  const others = [alerts[0]?.triggerId, doors[0]?.trigger, selected.trigger].filter((id) => id !== undefined);
  for (const id of [...Object.values(triggers), ...others])
    await client.post(`/triggers/${id}/shadow`, { shadow: { days: 31 } });
}

const LACKS = 'firings of a trigger that its shadow lacks';
const MORE = 'firings of a shadow that its trigger lacks';
const ENDS = 'episodes of a shadow that ended at another time';
const LIVE = `SELECT f.sensor_trigger_id, f.reason, f.fired_ms, f.muted, IF(f.resolved_by = 'data', f.ended_ms, 0) AS ended
  FROM trigger_shadows s JOIN firings f ON f.trigger_id = s.trigger_id AND f.fired_ms > s.created_ms`;
const OWN = `SELECT sensor_trigger_id, reason, fired_ms, is_muted, ended_ms FROM shadow_firings`;

/** Counts firings that the shadow alone or the trigger alone has, and ends by data at other times. */
export async function judgeShadows(rows) {
  const result = { count: 0, untried: 0, faults: { [LACKS]: 0, [MORE]: 0, [ENDS]: 0 } };
  const own = new Map((await rows(OWN)).map((row) => [keyOf(row, row.is_muted), row]));
  const live = await rows(LIVE);
  result.count = own.size;
  for (const row of live) {
    const twin = own.get(keyOf(row, row.muted));
    own.delete(keyOf(row, row.muted));
    if (!twin) result.faults[LACKS] += 1;
    else if (row.ended && row.ended !== twin.ended_ms) result.faults[ENDS] += 1;
  }
  result.faults[MORE] = own.size;
  const [{ untried }] = await rows("SELECT SUM(JSON_EXTRACT(state, '$.untried')) AS untried FROM shadow_states");
  result.untried = Number(untried ?? 0);
  return result;
}

function keyOf({ sensor_trigger_id: id, reason, fired_ms: firedMs }, isMuted) {
  return `${id} ${reason} ${firedMs} ${isMuted}`;
}
