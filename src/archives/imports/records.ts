import type { ReadModel } from '../../edge/read-model';
import { type GroupFields, readGroup } from '../../people';
import { PlatformError } from '../../platform/errors';
import { isRecord } from '../../platform/is-record';
import { serviceNamed } from '../../points';
import {
  type EnvironmentFields,
  type NewSensorFields,
  readEnvironment,
  readMetatagsOf,
  readSensorInput,
  readTiles,
  type TileFields,
} from '../../sensors';
import type { MethodCall } from '../exports/service-records';
import { RefusedArchive } from '../refused-archive';
import { parseLine } from './lines';

/** A line of an entry, and where it is. */
export interface Line {
  entry: string;
  number: number;
  text: string;
}

/** Reads lines of a file by the rules of the API's requests. Throws RefusedArchive with the entry and the line. */
export class Records {
  constructor(private readonly readModel: ReadModel) {}

  sensor(line: Line) {
    return this.read(line, (record) => {
      const { sensor } = this.model<{ sensor: NewSensorFields }>('CreateSensorRequest', { sensor: record.sensor });
      const metatags = Object.entries(recordOf(record.metatags, 'metatags')).map(
        ([namespace, given]) => [namespace, readMetatagsOf({ metatags: given })] as const,
      );
      const { retention_days: days = null, device = null } = record;
      if (days !== null) this.model('SetRetentionRequest', { retention: { days } });
      if (device !== null) this.model('AttachDeviceRequest', { device });
      return {
        ...{ id: idOf(record.id), name: sensor.name, input: { ...readSensorInput(sensor), name: sensor.name } },
        ...{ metatags, retentionDays: days as number | null, uses: idsOf(record.uses) },
        device: device as { type: string; uuid: string } | null, // read by the models
      };
    });
  }

  service(line: Line) {
    return this.read(line, ({ id, name, inputs, methods }) => {
      if (!serviceNamed(String(name))) throw new Mistake('there is no service of this name');
      return {
        ...{ id: idOf(id), name: String(name) },
        inputs: listOf(inputs, 'inputs').map((input) => {
          const { fields } = input;
          const service = { name: String(name), data_fields: fields };
          this.model('ConnectServiceRequest', { service });
          return { id: idOf(input.id), fields: (fields ?? []) as string[] }; // read by the model
        }),
        methods: listOf(methods, 'methods').map((call): MethodCall => {
          const { parameters } = this.model<{ parameters?: string[] }>('RunMethodRequest', {
            parameters: call.parameters,
          });
          return { name: String(call.name), parameters: parameters ?? [] };
        }),
      };
    });
  }

  environment(line: Line) {
    return this.read(line, ({ id, environment: given, parent = null, sensors }) => {
      const { environment } = this.model<{ environment: EnvironmentFields & { name: string } }>(
        'CreateEnvironmentRequest',
        { environment: given },
      );
      return {
        ...{ id: idOf(id), name: environment.name, parent: parent === null ? null : idOf(parent) },
        input: { ...readEnvironment(environment), name: environment.name },
        sensors: listOf(sensors, 'sensors').map((one) => ({ id: idOf(one.id), position: String(one.position ?? '') })),
      };
    });
  }

  group(line: Line) {
    return this.read(line, ({ id, group: given }) => {
      const { has_access_password: hasPassword, email, ...fields } = recordOf(given, 'group');
      const asked = email === '' ? fields : { ...fields, email };
      const { group } = this.model<{ group: GroupFields & { name: string } }>('CreateGroupRequest', { group: asked });
      const input = { ...readGroup(group), name: group.name };
      return { id: idOf(id), name: group.name, input, hasPassword: hasPassword === true };
    });
  }

  dashboard(line: Line) {
    return this.read(line, ({ id, dashboard: given }) => {
      const { dashboard } = this.model<{ dashboard: { name: string; tiles?: TileFields[] } }>(
        'CreateDashboardRequest',
        { dashboard: given },
      );
      return { id: idOf(id), name: dashboard.name, tiles: readTiles(dashboard.tiles) ?? [] };
    });
  }

  private model<T>(name: string, data: unknown): T {
    const { value, errors } = this.readModel(name, data);
    const [mistake] = Object.entries(errors);
    if (mistake) throw new Mistake(mistake.join(' '));
    return value as T; // without errors the model is complete
  }

  private read<T>({ entry, number, text }: Line, work: (record: Record<string, unknown>) => T): T {
    try {
      return work(parseLine(entry, number, text));
    } catch (error) {
      if (!(error instanceof Mistake || error instanceof PlatformError)) throw error;
      throw new RefusedArchive(entry, `line ${number}: ${error.message}`);
    }
  }
}

class Mistake extends Error {}

const ID = /^[1-9]\d{0,14}$/;

function idOf(id: unknown): string {
  if (typeof id !== 'string' || !ID.test(id)) throw new Mistake('an id is no text of digits');
  return id;
}

function idsOf(ids: unknown): string[] {
  if (ids === undefined) return [];
  if (!Array.isArray(ids)) throw new Mistake('uses is no list');
  return ids.map(idOf);
}

function listOf(list: unknown, name: string): Record<string, unknown>[] {
  if (!Array.isArray(list) || !list.every(isRecord)) throw new Mistake(`${name} is no list of objects`);
  return list;
}

function recordOf(value: unknown, name: string): Record<string, unknown> {
  if (!isRecord(value)) throw new Mistake(`${name} is no object`);
  return value;
}
