import { fitsMetatag } from './sensors';
import { type Entry, NUMBER, type Reading, type Series, type Source } from './source';
import { type ThingsBoardLogin, ThingsBoardRest } from './thingsboard-rest';
import { AlarmRules, type DeviceProfile } from './thingsboard-rules';

export interface ThingsBoardOptions extends ThingsBoardLogin {
  /** Where the rules are written as text. */
  rulesFile: string;
  fromMs: number;
  toMs: number;
}

interface Device {
  id: { id: string };
  name: string;
  type?: string;
  label?: string | null;
}

interface Attribute {
  key: string;
  value: unknown;
}

const LIMIT = 10_000;
const OTHERS = {
  '/api/tenant/assets': 'assets: they have no values of their own here',
  '/api/tenant/dashboards': 'dashboards: their widgets have no counterpart',
  '/api/ruleChains': 'rule chains: write triggers and services instead',
} as const;

/** ThingsBoard by its REST API: a sensor for each key of telemetry of each device of the tenant. */
export async function thingsBoard(options: ThingsBoardOptions): Promise<Source> {
  const url = options.url.replace(/\/+$/, '');
  const rest = new ThingsBoardRest({ ...options, url });
  let rules: AlarmRules | undefined;
  return {
    kind: 'thingsboard',
    identity: `${url} ${options.user} ${options.fromMs}`,
    stateFile: `thingsboard-${new URL(url).hostname}.import.json`,
    beginsBehind: true,
    async *read(reading) {
      rules = new AlarmRules(reading);
      for await (const { item } of rest.all<DeviceProfile>('/api/deviceProfiles')) rules.add(item);
      for (const [path, reason] of Object.entries(OTHERS)) {
        const { totalElements } = await rest.page(path, 0, 1);
        if (totalElements > 0) reading.leaveOut(reason, path, totalElements);
      }
      yield* new Telemetry(rest, reading, options).entries();
    },
    async finish() {
      if (rules && rules.rules.length > 0) await rules.write(options.rulesFile);
    },
    notes: () => {
      const count = rules?.rules.length ?? 0;
      if (count === 0) return [];
      return [
        `${count} alarm rules are rules as text. Look at them, and apply them: sensors rules plan ${options.rulesFile}`,
      ];
    },
  };
}

class Telemetry {
  constructor(
    private readonly rest: ThingsBoardRest,
    private readonly reading: Reading,
    private readonly range: Pick<ThingsBoardOptions, 'fromMs' | 'toMs'>,
  ) {}

  async *entries(): AsyncGenerator<Entry[]> {
    let devices = 0;
    for await (const { item: device, total } of this.rest.all<Device>('/api/tenant/devices')) {
      yield* this.entriesOf(device);
      devices += 1;
      this.reading.progress(devices / total);
    }
  }

  private async *entriesOf(device: Device): AsyncGenerator<Entry[]> {
    const path = `/api/plugins/telemetry/DEVICE/${device.id.id}`;
    const keys = await this.rest.get<string[]>(`${path}/keys/timeseries`);
    if (keys.length === 0) this.reading.leaveOut('devices without telemetry', device.name);
    const metatags = this.metatagsOf(device, await this.rest.get<Attribute[]>(`${path}/values/attributes`));
    for (const key of [...keys].sort()) {
      if (key.includes(','))
        this.reading.leaveOut('keys with a comma, which the REST API cannot read', `${device.name}/${key}`);
      else yield* this.pages(path, key, device, metatags);
    }
  }

  private async *pages(
    path: string,
    key: string,
    device: Device,
    metatags: Series['metatags'],
  ): AsyncGenerator<Entry[]> {
    const id = `${device.id.id}\n${key}`;
    const stored = this.reading.storedUntil(id);
    let series: Series | undefined;
    for (let startTs = stored === undefined ? this.range.fromMs : stored + 1; ; ) {
      const query = new URLSearchParams({
        keys: key,
        startTs: String(startTs),
        endTs: String(this.range.toMs),
        limit: String(LIMIT),
        agg: 'NONE',
        orderBy: 'ASC',
      });
      const answer = await this.rest.get<Record<string, { ts: number; value: unknown }[]>>(
        `${path}/values/timeseries?${query}`,
      );
      const points = answer[key] ?? [];
      series ??= seriesOf(device, key, id, points[0]?.value, metatags);
      const made = series;
      this.reading.seen(made);
      yield points.flatMap(({ ts, value }) =>
        value === null ? [] : [{ series: made, dateMs: ts, value: textOf(value) }],
      );
      const last = points.at(-1);
      if (!last || points.length < LIMIT) return;
      startTs = last.ts + 1;
    }
  }

  private metatagsOf({ name, type }: Device, attributes: readonly Attribute[]): Record<string, string> {
    const metatags: Record<string, string> = {};
    for (const { key, value } of attributes) {
      const text = textOf(value);
      if (fitsMetatag(key, text)) metatags[key] = text;
      else this.reading.leaveOut('attributes that are too long for a metatag', `${name}: ${key}`);
    }
    return { ...metatags, device: name, ...(type && { device_profile: type }) };
  }
}

function seriesOf(device: Device, key: string, id: string, value: unknown, metatags: Series['metatags']): Series {
  const text = textOf(value ?? '');
  return {
    key: id,
    name: `${device.name}/${key}`,
    ...(device.label && { displayName: `${device.label} ${key}` }),
    dataType: NUMBER.test(text) ? 'float' : /^(true|false)$/.test(text) ? 'boolean' : '',
    metatags: { ...metatags, telemetry_key: key },
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
