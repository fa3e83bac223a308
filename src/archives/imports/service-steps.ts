import { PlatformError } from '../../platform/errors';
import { RefusedArchive, refusedIn } from '../refused-archive';
import type { ImportProgress, LeftOut } from './import-progress';
import type { Importing } from './importing';
import { NamedThings } from './named-things';
import type { Records } from './records';
import { describeSensor } from './sensor-steps';
import { allLines } from './thing-steps';

type ServiceRecord = ReturnType<Records['service']>;
type SensorRecord = ReturnType<Records['sensor']>;

const ENTRY = 'services.ndjson';
const COMPUTED = `SELECT s.id, s.name FROM sensors s JOIN services v ON v.id = s.id
  WHERE s.owner_id = ? ORDER BY s.id`;

/** Makes services with their virtual sensors, those first that others do not wait for. */
export async function makeServices(importing: Importing): Promise<boolean> {
  const { records, database, ownerId } = importing;
  const all = await allLines(importing, ENTRY, (line) => records.service(line));
  if (all.length === 0) return true;
  const sensors = await allLines(importing, 'sensors.ndjson', (line) => records.sensor(line));
  const byId = new Map(sensors.map((sensor) => [sensor.id, sensor]));
  const known = await NamedThings.read(database.pool, COMPUTED, ownerId);
  const waiting = new Map<string, { service: ServiceRecord; sensor: SensorRecord; there: number | undefined }>();
  for (const service of all) {
    const sensor = byId.get(service.id);
    if (!sensor) throw new RefusedArchive(ENTRY, `no sensor of the file has the id ${service.id}`);
    const there = known.next(sensor.name);
    if (importing.idOf('sensors', service.id) === undefined) waiting.set(service.id, { service, sensor, there });
  }
  while (waiting.size > 0) {
    const isReady = ({ service }: { service: ServiceRecord }) => !service.inputs.some(({ id }) => waiting.has(id));
    const ready = [...waiting.values()].filter(isReady);
    // A cycle can only be forged: its services lose the inputs that are not there.
    for (const one of ready.length > 0 ? ready : [...waiting.values()].slice(0, 1)) {
      await makeService(importing, one).catch((error: unknown) => {
        throw refusedIn(ENTRY, error);
      });
      waiting.delete(one.service.id);
      if (importing.isOver()) return false;
    }
  }
  return true;
}

async function makeService(
  importing: Importing,
  { service, sensor, there }: { service: ServiceRecord; sensor: SensorRecord; there: number | undefined },
): Promise<void> {
  const { work, database, ownerId, services } = importing;
  const { counts } = work.progress;
  const counted = (what: 'made' | 'kept') => ({
    counts: { ...counts, services: { ...counts.services, [what]: counts.services[what] + 1 } },
  });
  const finish = (id: number, isMade: boolean, left: LeftOut[] = []): Partial<ImportProgress> => {
    const mapped = importing.mapped('sensors', [{ old: service.id, id, isMade }], { left: importing.leftOut(...left) });
    const both = { ...(mapped.counts ?? counts), services: counted(isMade ? 'made' : 'kept').counts.services };
    return { ...mapped, counts: both };
  };
  await work.together(database.sequelize, async () => {
    if (there !== undefined) return finish(there, false);
    const left: LeftOut[] = [];
    const inputs = service.inputs.flatMap(({ id, fields }) => {
      const sensorId = importing.idOf('sensors', id);
      if (sensorId === undefined)
        left.push({ what: `an input of ${sensor.name}`, why: 'its sensor is not in the file' });
      return sensorId === undefined ? [] : [{ sensorId, fields }];
    });
    const id = await connect(importing, service, sensor, inputs);
    if (id === undefined) {
      left.push({ what: `the service of ${sensor.name}`, why: 'none of its inputs is in the file' });
      const { sensor: made } = await services.sensors.create(ownerId, sensor.input);
      await describeSensor(services, ownerId, made.id, sensor);
      return finish(made.id, true, left);
    }
    await services.sensors.update(ownerId, id, sensor.input);
    await describeSensor(services, ownerId, id, sensor);
    return finish(id, true, left);
  });
}

/** Returns the id of the new service; undefined without inputs. */
async function connect(
  { services, caller }: Importing,
  { name, methods }: ServiceRecord,
  sensor: SensorRecord,
  inputs: readonly { sensorId: number; fields: string[] }[],
): Promise<number | undefined> {
  const [first, ...others] = inputs;
  if (!first) return undefined;
  const virtual = { name: sensor.name };
  const given = { name, fields: first.fields, virtual };
  const { id } = await services.serviceConnections.connect(caller, first.sensorId, given);
  // The selector of a fleet connects the others.
  const isSelected = methods.some((call) => call.name === 'SetFilter') && name === 'fleet_service';
  for (const { sensorId, fields } of isSelected ? [] : others)
    await services.serviceConnections.connect(caller, sensorId, { serviceId: id, fields, virtual: {} });
  return id;
}

/** Sets what new services do, once they are committed: who may see them is read outside of a transaction. */
export async function configureServices(importing: Importing): Promise<boolean> {
  const { records, work, database } = importing;
  const all = await allLines(importing, ENTRY, (line) => records.service(line));
  for (const [index, service] of all.entries()) {
    if (index < work.progress.line || !importing.isMade('sensors', service.id)) continue;
    const id = importing.idOf('sensors', service.id);
    await work.together(database.sequelize, async () => {
      const left = id === undefined ? [] : await configure(importing, service, id);
      return { left: importing.leftOut(...left), line: index + 1 };
    });
    if (importing.isOver()) return false;
  }
  return true;
}

/** Calls the methods that set what the service does, with new ids in formulas. */
async function configure(importing: Importing, { methods }: ServiceRecord, serviceId: number): Promise<LeftOut[]> {
  const left: LeftOut[] = [];
  for (const { name, parameters } of methods) {
    if (name === 'SetTrigger') {
      left.push({ what: `the trigger of the service ${serviceId}`, why: 'rules are imported later: set it again' });
      continue;
    }
    const mapped = name === 'SetExpression' ? parameters.map((text) => withNewIds(importing, text)) : parameters;
    const method = { sensorId: serviceId, serviceId, name };
    try {
      await importing.services.serviceMethods.run(importing.caller, method, mapped);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.status >= 500) throw error;
      left.push({ what: `${name} of the service ${serviceId}`, why: error.message });
    }
  }
  return left;
}

/** Variables of formulas are `_<sensor id>_<sensor name>`. */
function withNewIds(importing: Importing, formula: string): string {
  return formula.replace(/(?<![\w.])_(\d{1,15})(?=_)/g, (whole, id: string) => {
    const known = importing.idOf('sensors', id);
    return known === undefined ? whole : `_${known}`;
  });
}
