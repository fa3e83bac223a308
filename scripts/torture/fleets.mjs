// Fleets over sensors that send, join and leave while processes are killed: at the end, each summary must be what the stored
// points of its members give.
const INACTIVE_AFTER_S = 60;
const WRONG = 'fleets other than a recount';
const TOO_OFTEN = 'summaries of fleets within a second of another';

/** Adds fleets to the load: one over sensors that stay, and one over those that get and lose a metatag. */
export async function prepareFleets(client, load) {
  const { counters, storms, inactive, served, selected, triggers } = load;
  const staying = [...counters, ...storms, ...inactive, ...served.sensors].map(({ id }) => id);
  const names = await Promise.all(staying.map(async (id) => (await client.get(`/sensors/${id}`)).sensor.name));
  const fleets = [
    await make(client, staying[0], triggers.inactivity, {
      sensor_statement_groups: [[{ sensor_property: 'name', operator: 'in', value: names }]],
    }),
    await make(client, selected.sensors[0].id, selected.trigger, {
      metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value: 'cold' }]],
    }),
  ];
  return { ...load, fleets };
}

async function make(client, sensorId, trigger, filter) {
  const given = { filter: { filter }, silent_after: INACTIVE_AFTER_S, trigger_id: String(trigger) };
  const { service } = await client.post(`/sensors/${sensorId}/services`, {
    service: { name: 'fleet_service', ...given },
  });
  return { id: service.id, trigger };
}

/** Counts points of fleets, and those fleets whose last summary is another than the recount. */
export async function judgeFleets(rows, fleets = []) {
  const result = { points: 0, lines: [], faults: { [WRONG]: 0, [TOO_OFTEN]: 0 } };
  for (const { id, trigger } of fleets) {
    const points = await rows('SELECT date_ms, value FROM data_points WHERE sensor_id = ? ORDER BY date_ms', [id]);
    result.points += points.length;
    result.faults[TOO_OFTEN] += points.filter(
      ({ date_ms }, at) => at > 0 && date_ms - points[at - 1].date_ms < 1_000,
    ).length;
    const { silent: inactive, ...summary } = JSON.parse(points.at(-1)?.value ?? '{}');
    const expected = await recount(rows, id, trigger);
    if (JSON.stringify(summary) === JSON.stringify(expected)) continue;
    result.faults[WRONG] += 1;
    result.lines.push(
      `fleet ${id}: ${JSON.stringify(summary)} and ${inactive} inactive instead of ${JSON.stringify(expected)}`,
    );
  }
  return result;
}

async function recount(rows, id, trigger) {
  const members = await rows(
    `SELECT i.sensor_id AS id, (SELECT p.value FROM data_points p WHERE p.sensor_id = i.sensor_id ORDER BY p.date_ms DESC LIMIT 1) AS value,
       EXISTS (SELECT 1 FROM sensor_triggers t WHERE t.sensor_id = i.sensor_id AND t.trigger_id = ?
         AND COALESCE(t.episode_ms, t.inactivity_episode_ms) IS NOT NULL) AS isFiring
     FROM service_inputs i WHERE i.service_id = ? ORDER BY i.sensor_id`,
    [trigger, id],
  );
  const values = members.filter(({ value }) => value !== null).map(({ value }) => Number(value));
  const sum = values.reduce((total, value) => total + value, 0);
  const extreme = (choose) => (values.length === 0 ? null : choose(...values));
  return {
    count: members.length,
    average: values.length === 0 ? null : sum / values.length,
    minimum: extreme(Math.min),
    maximum: extreme(Math.max),
    sum,
    firing: members.filter(({ isFiring }) => Number(isFiring) === 1).length,
  };
}
