// Vehicles in zones of which one moves, at times without a position: each point must be decided by the zones of its time.
import { setTimeout as sleep } from 'node:timers/promises';
import { madeOn, POINT_EVERY_MS, untilDecided } from './decided.mjs';
import { randomSource } from './random.mjs';

const VEHICLES = 3;
/** Points between two moves of the gate. */
const POINTS_PER_PLACE = 12;
/** Decisions that the platform keeps are fewer. */
const NOTED_POINTS = 400;
/** Degrees north. A gate is one degree high, and stands in the yard. */
const YARD = 6;
const GATES = [1, 2, 3, 4];
const FARTHEST = 8;

/** Vehicles drive at longitudes of their own, through yards and gates of their own. */
export async function prepareLocated(client) {
  const { trigger } = await client.post('/triggers', {
    trigger: { name: 'located', expression: 'zone() != last_zone()', repeat: 0 },
  });
  const vehicles = [];
  for (let index = 0; index < VEHICLES; index += 1) {
    const { id } = (await client.post('/sensors', { sensor: { name: `located ${index}`, data_type: 'json' } })).sensor;
    await client.post(`/sensors/${id}/triggers`, { trigger: { id: trigger.id } });
    const draw = (name, south, north) =>
      client.post('/environments', { environment: { name, gps_outline: outlineOf(index, south, north) } });
    const [gate] = GATES;
    await draw(`yard ${index}`, 0, YARD);
    const { environment } = await draw(`gate ${index}`, gate, gate + 1);
    const vehicle = { id, triggerId: trigger.id, kind: 'located', index, environmentId: environment.id, gate };
    vehicles.push({ ...vehicle, sent: 0, last: null, expected: new Map() });
  }
  return vehicles;
}

/** Drives, and moves the gate between points. `expected` has what must be decided on each point, where that is certain. */
export async function driveLocated(client, vehicle, isOver) {
  const random = randomSource(vehicle.index + 31);
  while (!isOver()) {
    let value;
    for (let point = 0; point < POINTS_PER_PLACE && !isOver(); point += 1) {
      const latitude = random.between(0, 4) === 0 ? null : random.between(0, FARTHEST) + 0.5;
      value = await send(client, vehicle, latitude);
      await sleep(POINT_EVERY_MS);
    }
    // A point that waits for its evaluation may be decided by the next place of the gate, which is allowed.
    const isDecided = await untilDecided(client, vehicle, value, isOver);
    if (isOver()) return;
    if (!isDecided) vehicle.expected.clear();
    vehicle.gate = GATES[random.between(0, GATES.length - 1)];
    const gps_outline = outlineOf(vehicle.index, vehicle.gate, vehicle.gate + 1);
    await client.put(`/environments/${vehicle.environmentId}`, { environment: { gps_outline } });
  }
}

async function send(client, vehicle, latitude) {
  vehicle.sent += 1;
  const longitude = latitude === null ? null : 10 * vehicle.index + 0.5;
  const value = JSON.stringify({ latitude, longitude, n: vehicle.sent });
  await client.post(`/sensors/${vehicle.id}/data`, { value, date: Date.now() / 1000 });
  vehicle.expected.set(vehicle.sent, expectedOn(vehicle, latitude));
  vehicle.expected.delete(vehicle.sent - NOTED_POINTS);
  if (latitude !== null) vehicle.last = latitude;
  return value;
}

/** A point without a position has no zone. */
function expectedOn(vehicle, latitude) {
  if (latitude === null) return { isKnown: false };
  const zone = zoneAt(vehicle, latitude);
  if (vehicle.last === null) return { isKnown: true, zone };
  return { isKnown: true, zone, isTrue: zone !== zoneAt(vehicle, vehicle.last) };
}

function zoneAt({ index, gate }, latitude) {
  if (latitude > gate && latitude < gate + 1) return `gate ${index}`;
  return latitude < YARD ? `yard ${index}` : '';
}

function outlineOf(index, south, north) {
  const [west, east] = [10 * index, 10 * index + 1];
  return `${south} ${west},${south} ${east},${north} ${east},${north} ${west}`;
}

/** Decisions on points by other zones than those of their time. */
export async function judgeLocated(client, vehicles) {
  const remarks = [];
  let compared = 0;
  for (const vehicle of vehicles) {
    for (const decision of await madeOn(client, vehicle)) {
      const expected = vehicle.expected.get(JSON.parse(decision.value).n);
      if (!expected) continue;
      compared += 1;
      if (!isRight(decision, expected)) remarks.push(described(vehicle, decision, expected));
    }
  }
  return { compared, wrong: remarks.length, remarks };
}

function isRight({ reason, variables }, { isKnown, zone, isTrue }) {
  if (!isKnown) return ['cannot-be-evaluated', 'no-previous-value'].includes(reason) && variables.zone === undefined;
  if (variables.zone !== zone) return false;
  if (isTrue === undefined || ['cannot-be-evaluated', 'no-previous-value'].includes(reason))
    return isTrue === undefined;
  return isTrue === !['false', 'resolved'].includes(reason);
}

function described({ id }, { date, value, reason, variables }, expected) {
  return `sensor ${id} decided ${reason} on ${value} in the zone ${variables.zone} instead of ${JSON.stringify(expected)}, at ${date}`;
}
