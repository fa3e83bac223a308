import type { Transaction } from 'sequelize';
import { Conflict } from '../../platform/errors';
import { Sensor } from '../../storage/models/sensor.model';
import { ServiceInputRow } from '../../storage/models/service-input-row.model';
import { type Feed, mostComputations } from './fan-out';
import { allUsedBy } from './sensor-connections';

const MAX_SENSORS_PER_SERVICE = 100;
const MAX_SERVICES_PER_SENSOR = 100;
/** Maximum that one data point causes in one user's services: layers of services multiply. */
const MAX_COMPUTATIONS = 1_000;

/**
 * After a new input. Throws Conflict for too many inputs, services of the user on the sensor, or computations by one
 * data point. The transaction has locked service and sensor.
 */
export async function requireFewServices(
  transaction: Transaction,
  { userId, sensorId, serviceId }: { userId: number; sensorId: number; serviceId: number },
): Promise<void> {
  if ((await ServiceInputRow.count({ where: { serviceId }, transaction })) > MAX_SENSORS_PER_SERVICE) {
    throw new Conflict(`a service takes the data of at most ${MAX_SENSORS_PER_SERVICE} sensors`);
  }
  const fed = await ServiceInputRow.findAll({ where: { sensorId }, transaction, raw: true });
  const own = { id: fed.map((row) => row.serviceId), ownerId: userId };
  if ((await Sensor.count({ where: own, transaction })) > MAX_SERVICES_PER_SENSOR) {
    throw new Conflict(`a sensor feeds at most ${MAX_SERVICES_PER_SENSOR} services of yours`);
  }
  // A connection elsewhere downstream of the same sensors waits for this one, because both lock everything upstream.
  const above = await allUsedBy(sensorId, transaction);
  const feeds = await allFeedsFrom([sensorId, ...above], transaction);
  await requireFewComputations(feeds, serviceId, transaction);
}

/**
 * Limits are per user, so that others who see a sensor cannot use up its owner's. Checked for the owners of all
 * services downstream; otherwise two users could multiply their limits.
 */
async function requireFewComputations(feeds: readonly Feed[], serviceId: number, transaction: Transaction) {
  const services = await Sensor.findAll({
    attributes: ['id', 'ownerId'],
    where: { id: [...new Set(feeds.map((feed) => feed.serviceId))] },
    transaction,
    raw: true,
  });
  const owners = new Map(services.map(({ id, ownerId }) => [id, ownerId]));
  const below = await allFeedsFrom([serviceId], transaction);
  const reached = [serviceId, ...below.map((feed) => feed.serviceId)];
  for (const ownerId of new Set(reached.map((id) => owners.get(id)))) {
    const count = mostComputations(feeds, MAX_COMPUTATIONS + 1, (id) => owners.get(id) === ownerId);
    if (count <= MAX_COMPUTATIONS) continue;
    const why = `one data point would cause more than ${MAX_COMPUTATIONS} computations of one user's services`;
    throw new Conflict(`${why}, some of which feed others: disconnect some first`);
  }
}

/** Directly or through services. */
async function allFeedsFrom(sensorIds: readonly number[], transaction: Transaction): Promise<Feed[]> {
  const feeds: Feed[] = [];
  const known = new Set(sensorIds);
  for (let next = [...known]; next.length > 0; ) {
    const rows = await ServiceInputRow.findAll({
      attributes: ['sensorId', 'serviceId'],
      where: { sensorId: next },
      transaction,
      raw: true,
    });
    next = [];
    for (const row of rows) {
      feeds.push(row);
      if (!known.has(row.serviceId)) next.push(row.serviceId);
      known.add(row.serviceId);
    }
  }
  return feeds;
}
