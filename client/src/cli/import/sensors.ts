import { createHash } from 'node:crypto';
import type { Client } from '../../client';
import type { Series } from './source';

/** What an import may do to sensors that are there, and to alerts. */
export interface Permissions {
  /** Points may go into sensors that no import has made. */
  intoExisting: boolean;
  /** Points may be evaluated by triggers. */
  mayAlert: boolean;
}

export interface Target {
  sensorId: string;
  isNew: boolean;
  /** Points that the sensor had before. */
  before: number;
}

interface Known {
  id: string;
  /** The hash of the series that an import has made it for. */
  key?: string;
  /** True if an import began to make it and was interrupted. */
  isUnfinished: boolean;
}

/** Where an import leaves its marks among the metatags of a sensor. */
const NAMESPACE = 'import';
const MAX_NAME = 255;
const MAX_TAG_NAMES = 30;
const MAX_TAG_VALUE = 100;
const MAX_UNIT = 32;
const MAX_UNITS = 100;

/** The sensors of the account, by the series that they are made for and by name; makes those that are missing. */
export class Sensors {
  private readonly byKey = new Map<string, string>();
  private readonly byName = new Map<string, Known>();

  constructor(
    private readonly client: Client,
    private readonly kind: string,
    private readonly allowed: Permissions,
  ) {}

  /** Reads the account. Throws if triggers select sensors by a search: they would evaluate old points. */
  async load(): Promise<void> {
    if (!this.allowed.mayAlert) await this.requireNoSelectors();
    const keys = new Map<string, string>();
    const query = { namespace: NAMESPACE, sensor_owner: 'me' } as const;
    for await (const { id, metatags } of this.client.all('/sensors/metatags', { params: { query } })) {
      const [from, key] = [metatags?.from?.[0], metatags?.key?.[0]];
      if (key !== undefined) keys.set(id, String(key));
      if (from === this.kind && key !== undefined) this.byKey.set(String(key), id);
    }
    for await (const sensor of this.client.all('/sensors', { params: { query: { owned: true } } })) {
      if (!('name' in sensor)) continue;
      const key = keys.get(sensor.id);
      const isUnfinished = key === undefined && sensor.device_type === deviceTypeOf(this.kind);
      this.byName.set(sensor.name, { id: sensor.id, ...(key !== undefined && { key }), isUnfinished });
    }
  }

  /** What the series would become. */
  planned(series: Series): 'new' | 'again' | 'existing' {
    const key = hashOf(series.key);
    if (this.byKey.has(key)) return 'again';
    const known = this.byName.get(nameOf(series));
    return known && known.key === undefined && !known.isUnfinished ? 'existing' : 'new';
  }

  /** The sensor of a series. Throws if the points may not go there. */
  async targetOf(series: Series): Promise<Target> {
    const key = hashOf(series.key);
    const made = this.byKey.get(key);
    if (made !== undefined) return this.existing(made, series);
    const name = nameOf(series);
    const known = this.byName.get(name);
    if (known?.isUnfinished) return this.finish(known.id, series, key);
    if (known && known.key === undefined) {
      if (this.allowed.intoExisting) return this.existing(known.id, series);
      throw new Error(
        `a sensor named ${name} exists, and no import has made it: --into-existing writes into it, and replaces points of the same dates`,
      );
    }
    const free = known ? withHash(name, key) : name;
    return this.finish(await this.create(series, free), series, key);
  }

  private async existing(sensorId: string, { name }: Series): Promise<Target> {
    const path = { id: sensorId };
    if (!this.allowed.mayAlert) {
      const { triggers } = await this.client.get('/sensors/{id}/triggers', { params: { path } });
      if (triggers.length > 0) {
        throw new Error(
          `the sensor ${name} (${sensorId}) has triggers, which evaluate points that are newer than its latest one and may alert: allow it by --may-alert, or disconnect them`,
        );
      }
    }
    return { sensorId, isNew: false, before: await this.count(sensorId) };
  }

  private async create(series: Series, name: string): Promise<string> {
    const units = Object.entries(series.fieldUnits ?? {}).filter(([, unit]) => fits(unit));
    const { sensor } = await this.client.post('/sensors', {
      body: {
        sensor: {
          name,
          device_type: deviceTypeOf(this.kind),
          ...(series.displayName && { display_name: series.displayName.slice(0, MAX_NAME) }),
          ...(series.dataType !== '' && { data_type: series.dataType }),
          ...(series.unit && fits(series.unit) && { unit: series.unit }),
          ...(units.length > 0 && { field_units: Object.fromEntries(units.slice(0, MAX_UNITS)) }),
        },
      },
    });
    return sensor.id;
  }

  /** Metatags come after the sensor: an import that is interrupted between them finds it by its type. */
  private async finish(sensorId: string, series: Series, key: string): Promise<Target> {
    const path = { id: sensorId };
    const own = metatagsAmong(series.metatags);
    if (Object.keys(own).length > 0) {
      await this.client.post('/sensors/{id}/metatags', { params: { path }, body: { metatags: own } });
    }
    const metatags = { from: [this.kind], key: [key] };
    const query = { namespace: NAMESPACE };
    await this.client.post('/sensors/{id}/metatags', { params: { path, query }, body: { metatags } });
    this.byKey.set(key, sensorId);
    this.byName.set(nameOf(series), { id: sensorId, key, isUnfinished: false });
    return { sensorId, isNew: true, before: await this.count(sensorId) };
  }

  private async count(id: string): Promise<number> {
    const query = { per_page: 1, total: true };
    return (await this.client.get('/sensors/{id}/data', { params: { path: { id }, query } })).total ?? 0;
  }

  private async requireNoSelectors(): Promise<void> {
    const names: string[] = [];
    for await (const trigger of this.client.all('/triggers')) {
      if ('selector' in trigger && trigger.selector) names.push(trigger.name);
    }
    if (names.length === 0) return;
    throw new Error(
      `triggers that select sensors by a search may select the new ones, evaluate their old points and alert: ${names.slice(0, 5).join(', ')}. Allow it by --may-alert, or remove their selectors until the import has ended`,
    );
  }
}

function deviceTypeOf(kind: string): string {
  return `import ${kind}`;
}

/** Letter case counts in keys, and not in searches by metatags. */
function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

function nameOf({ name, key }: Series): string {
  return name.length > MAX_NAME ? withHash(name, hashOf(key)) : name;
}

function withHash(name: string, hash: string): string {
  return `${name.slice(0, MAX_NAME - 10)} #${hash.slice(0, 8)}`;
}

function fits(unit: string): boolean {
  return unit !== '' && [...unit].length <= MAX_UNIT;
}

/** True if the platform takes a metatag of this name and value. */
export function fitsMetatag(name: string, value: string): boolean {
  return /^[\x20-\x7e]{1,32}$/.test(name) && value !== '' && [...value].length <= MAX_TAG_VALUE;
}

/** Those within the limits of the platform; the last ones are the importer's own. */
function metatagsAmong(tags: Series['metatags']): Record<string, string[]> {
  const kept = Object.entries(tags).filter(([name, value]) => fitsMetatag(name, value));
  return Object.fromEntries(kept.slice(-MAX_TAG_NAMES).map(([name, value]) => [name, [value]]));
}
