// Sensors whose points have no date and come over many connections to all API processes at once. A service that copies
// each point shows which of them were evaluated: it leaves out late points.
import { setTimeout as sleep } from 'node:timers/promises';

const CONNECTIONS = 8;
const PAUSE_MS = 400;

/** Creates the sensors, each with a service that copies every point. */
export async function prepareUndated(client, count = 2) {
  const sensors = [];
  for (let index = 0; index < count; index += 1) {
    const { sensor } = await client.post('/sensors', { sensor: { name: 'undated', data_type: 'float' } });
    const { service } = await client.post(`/sensors/${sensor.id}/services`, { service: { name: 'math_service' } });
    await client.post(`/sensors/${sensor.id}/services/${service.id}/SetExpression`, {
      parameters: [`_${sensor.id}_undated`],
    });
    sensors.push({ id: sensor.id, service: service.id, kind: 'undated', sent: 0 });
  }
  return sensors;
}

/** Sends distinct values without dates, several requests at a time, until `isOver()`. */
export async function sendUndated(client, sensor, isOver) {
  const send = async () => {
    while (!isOver()) {
      sensor.sent += 1;
      await client.post(`/sensors/${sensor.id}/data`, { value: sensor.sent });
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
}

/**
 * The number of points that were stored and not evaluated. A point that was sent again after a lost answer counts as
 * two points.
 */
export async function judgeUndated(rows, sensors) {
  let missed = 0;
  for (const { id, service } of sensors) {
    const [{ stored, evaluated }] = await rows(
      `SELECT (SELECT COUNT(*) FROM data_points WHERE sensor_id = ?) AS stored,
              (SELECT COUNT(*) FROM data_points WHERE sensor_id = ?) AS evaluated`,
      [id, service],
    );
    missed += Math.abs(Number(stored) - Number(evaluated));
  }
  return { missed };
}
