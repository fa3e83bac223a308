// Agents that report lines of InfluxDB for known and new names, and repeat each request until it is acknowledged.
import { setTimeout as sleep } from 'node:timers/promises';

const STEADY_NAMES = 3;
const NEW_NAMES = 2;
const PAUSE_MS = 800;

/** Creates the key of the agents. `names`: the number of acknowledged points of each name. */
export async function prepareAgents(client, count = 6) {
  const scopes = ['data:write', 'sensors:create'];
  const { key } = await client.post('/keys', { key: { name: 'agents', scopes, create_limit: 100_000 } });
  return { secret: key.secret, count, sent: 0, names: new Map(), startMs: Date.now() - 3_600_000 };
}

/** Lets all agents report until `isOver()`. Two of them report each new name, often at the same moment. */
export async function runAgents(client, agents, isOver) {
  const report = async (_, agent) => {
    for (let round = 0; !isOver(); round += 1) {
      const names = [
        ...Array.from({ length: STEADY_NAMES }, (_name, index) => `steady,agent=${agent},of=${index}`),
        ...Array.from({ length: NEW_NAMES }, (_name, index) => `new,of=${index},pair=${agent >> 1},round=${round}`),
      ];
      const ms = agents.startMs + round * agents.count + agent;
      const lines = names.map((name) => `${name} value=${ms - agents.startMs} ${ms}000000`);
      await client.write('/api/v2/write?bucket=torture', lines.join('\n'), agents.secret);
      for (const name of names) agents.names.set(name, (agents.names.get(name) ?? 0) + 1);
      agents.sent += names.length;
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: agents.count }, report));
}

/** The points that were acknowledged and are missing, those that are stored twice, and sensors without one name each. */
export async function judgeAgents(rows, { names }) {
  const found = await rows(
    `SELECT n.name, COUNT(p.date_ms) AS points, COUNT(DISTINCT p.value) AS different
     FROM series n LEFT JOIN data_points p ON p.sensor_id = n.sensor_id WHERE n.namespace = 'influx' GROUP BY n.id, n.name`,
  );
  const [{ sensors }] = await rows("SELECT COUNT(*) AS sensors FROM sensors WHERE device_type = 'influx'");
  const stored = new Map(found.map((row) => [row.name, row]));
  let [lost, doubled] = [0, 0];
  for (const [name, sent] of names) lost += Math.max(0, sent - Number(stored.get(name)?.different ?? 0));
  for (const { points, different } of found) doubled += Number(points) - Number(different);
  const wrong = Math.abs(Number(sensors) - names.size) + Math.abs(found.length - names.size);
  return { lost, doubled, wrong, names: names.size };
}
