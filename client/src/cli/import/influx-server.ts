import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { influxSeries } from './influx-series';
import { type Entry, type Reading, type Series, type Source, SourceError } from './source';

export interface InfluxServer {
  url: string;
  database: string;
  user?: string;
  password?: string;
}

interface Rows {
  name: string;
  tags?: Record<string, string>;
  columns: string[];
  values: unknown[][];
}

interface Answer {
  results?: { series?: Rows[]; error?: string }[];
  error?: string;
}

const CHUNK = 10_000;
const TYPES: Readonly<Record<string, 'float' | 'boolean' | 'string'>> = { boolean: 'boolean', string: 'string' };

/** An InfluxDB 1 that runs, by `GET /query`: all retention policies of a database. */
export async function influxServer(server: InfluxServer): Promise<Source> {
  const url = server.url.replace(/\/+$/, '');
  return {
    kind: 'influx',
    identity: `${url} ${server.database}`,
    stateFile: `influx-${server.database.replace(/[^\w.-]/g, '_')}.import.json`,
    beginsBehind: false,
    read: (reading) => new ServerReading({ ...server, url }, reading).entries(),
  };
}

class ServerReading {
  private readonly known = new Map<string, Series>();

  constructor(
    private readonly server: InfluxServer,
    private readonly reading: Reading,
  ) {}

  async *entries(): AsyncGenerator<Entry[]> {
    const { database } = this.server;
    const policies = await this.names(`SHOW RETENTION POLICIES ON ${quoted(database)}`);
    const measurements = await this.names(`SHOW MEASUREMENTS ON ${quoted(database)}`);
    let done = 0;
    for (const policy of policies) {
      for (const measurement of measurements) {
        const types = await this.typesOf(policy, measurement);
        const from = [database, policy, measurement].map(quoted).join('.');
        for await (const rows of this.query(`SELECT * FROM ${from} GROUP BY *`)) {
          yield this.entriesOf(rows, `${database}.${policy}`, types);
        }
        done += 1;
        this.reading.progress(done / (policies.length * measurements.length));
      }
    }
  }

  private entriesOf({ name, tags = {}, columns, values }: Rows, database: string, types: Map<string, string>): Entry[] {
    const given = Object.entries(tags).filter(([, value]) => value !== '');
    const place = { database, measurement: name, tags: Object.fromEntries(given) };
    const series = columns.map((field) => {
      const made = influxSeries(place, field, TYPES[types.get(field) ?? ''] ?? 'float');
      const known = this.known.get(made.key) ?? made;
      this.known.set(made.key, known);
      return known;
    });
    return values.flatMap((row) =>
      row.flatMap((value, at) => {
        const one = series[at];
        if (at === 0 || value === null || !one) return [];
        if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER && Number.isInteger(value)) {
          this.reading.leaveOut('integers of more than 53 bits: export them by influx_inspect', one.name);
          return [];
        }
        return [{ series: one, dateMs: Number(row[0]), value: String(value) }];
      }),
    );
  }

  private async typesOf(policy: string, measurement: string): Promise<Map<string, string>> {
    const types = new Map<string, string>();
    const from = `${quoted(policy)}.${quoted(measurement)}`;
    for await (const { values } of this.query(`SHOW FIELD KEYS ON ${quoted(this.server.database)} FROM ${from}`)) {
      for (const [field, type] of values) types.set(String(field), String(type));
    }
    return types;
  }

  private async names(query: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { values } of this.query(query)) names.push(...values.map(([name]) => String(name)));
    return names;
  }

  /** Answers come in chunks, one to a line. */
  private async *query(q: string): AsyncGenerator<Rows> {
    const { url, database, user, password = '' } = this.server;
    const query = new URLSearchParams({ db: database, q, epoch: 'ms', chunked: 'true', chunk_size: String(CHUNK) });
    const basic = Buffer.from(`${user}:${password}`).toString('base64');
    const response = await fetch(`${url}/query?${query}`, user ? { headers: { Authorization: `Basic ${basic}` } } : {});
    if (!response.body) throw new SourceError(url, `answered ${response.status} without a body`);
    const body = Readable.fromWeb(response.body as ReadableStream); // the types of Node and of browsers differ
    for await (const line of createInterface({ input: body })) {
      if (line.trim() === '') continue;
      const { results = [], error } = parse(line, url, response.status);
      const problem = error ?? results.find((one) => one.error)?.error;
      if (problem !== undefined) throw new SourceError(url, problem);
      for (const { series = [] } of results) yield* series;
    }
  }
}

function parse(line: string, url: string, status: number): Answer {
  try {
    return JSON.parse(line) as Answer;
  } catch {
    throw new SourceError(url, `answered ${status}, and not as InfluxDB does`);
  }
}

function quoted(name: string): string {
  return `"${name.replace(/(["\\])/g, '\\$1')}"`;
}
