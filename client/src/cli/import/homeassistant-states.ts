import { type Entry, NUMBER, type Reading, type Series } from './source';
import type { Database, Row } from './sqlite/database';

/** Domains whose states are `on` and `off`. */
const ON_OFF = /^(binary_sensor|switch|light|input_boolean|fan|automation|siren|humidifier)\./;
/** No value: the entity was away. */
const NO_STATE = new Set(['unavailable', 'unknown', '']);

interface Attributes {
  unit?: string;
  name?: string;
  deviceClass?: string;
  isMeasured: boolean;
}

/** The states of all entities, in the order in which they were written. */
export class EntityStates {
  private readonly entities = new Map<unknown, string>();
  private readonly series = new Map<string, Series>();

  constructor(
    private readonly database: Database,
    private readonly reading: Reading,
  ) {}

  async loadNames(): Promise<void> {
    for await (const { row } of this.database.rows('states_meta')) {
      this.entities.set(row.metadata_id, String(row.entity_id));
    }
  }

  async *entries(progress: (done: number) => void): AsyncGenerator<Entry> {
    for await (const { row, done } of this.database.rows('states')) {
      progress(done);
      const entity = this.entities.get(row.metadata_id) ?? row.entity_id;
      const dateMs = dateOf(row, 'last_updated');
      if (typeof entity !== 'string' || entity === '' || dateMs === undefined) {
        this.reading.leaveOut('states without an entity or a date', `state ${row.state_id}`);
        continue;
      }
      const state = row.state === null ? '' : String(row.state);
      if (NO_STATE.has(state)) this.reading.leaveOut(`states that are no values: ${state || 'empty'}`, entity);
      else yield { series: await this.seriesOf(entity, state, row), dateMs, value: state };
    }
  }

  private async seriesOf(entity: string, state: string, row: Row): Promise<Series> {
    const known = this.series.get(entity);
    if (known) return known;
    const shared = await this.database.find('state_attributes', row.attributes_id);
    const found = attributesOf(shared?.shared_attrs ?? row.attributes);
    const { unit, name, deviceClass, isMeasured = false } = found ?? {};
    const series: Series = {
      key: entity,
      name: entity,
      ...(name && { displayName: name }),
      dataType: dataTypeOf(entity, state, isMeasured),
      ...(unit && { unit }),
      metatags: { domain: entity.split('.')[0] ?? '', ...(deviceClass && { device_class: deviceClass }) },
    };
    this.series.set(entity, series);
    return series;
  }
}

function dataTypeOf(entity: string, state: string, isMeasured: boolean): Series['dataType'] {
  if (isMeasured || NUMBER.test(state)) return 'float';
  return ON_OFF.test(entity) && /^(on|off)$/.test(state) ? 'boolean' : '';
}

function attributesOf(json: unknown): Attributes | undefined {
  if (typeof json !== 'string' || json === '') return undefined;
  try {
    const given = Object(JSON.parse(json)) as Record<string, unknown>;
    const text = (name: string) => (typeof given[name] === 'string' ? String(given[name]) : '');
    const [unit, name, deviceClass] = [text('unit_of_measurement'), text('friendly_name'), text('device_class')];
    return {
      ...(unit && { unit }),
      ...(name && { name }),
      ...(deviceClass && { deviceClass }),
      isMeasured: unit !== '' || text('state_class') !== '',
    };
  } catch {
    return undefined;
  }
}

/** The date of a row, by its column in seconds, or by that of older schemas, in UTC. */
export function dateOf(row: Row, name: string): number | undefined {
  const seconds = row[`${name}_ts`];
  if (typeof seconds === 'number') return Math.floor(seconds * 1000 + 1e-3);
  const text = row[name];
  if (typeof text !== 'string') return undefined;
  const ms = Date.parse(
    `${text
      .replace(' ', 'T')
      .replace(/(\.\d{3})\d+/, '$1')
      .replace(/[+-]00:00$/, '')}Z`,
  );
  return Number.isNaN(ms) ? undefined : ms;
}
