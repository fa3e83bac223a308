// The same points as JSON and as InfluxDB lines, interleaved: what it costs to name series instead of sensors.
import { gzipSync } from 'node:zlib';
import { registered } from './support/client.mjs';
import { Rows } from './support/figures.mjs';
import { headOf, openConnections } from './support/lean-client.mjs';
import { nextMs, STREAMS } from './support/meters.mjs';

export const name = 'lines';
export const order = 9;
export const isLong = true;
export const options = { measured: 200_000 };

const SIZES = [1_000, 10_000];
const SERIES = [1, 50, 1_000];
const WRITE = '/api/v2/write?org=bench&bucket=bench&precision=ns';

/** Each round sends the same number of points in every way, in bodies that are made before. */
export async function run({ port, rounds, sizes: { measured }, log, costs }) {
  const rows = new Rows();
  const client = await registered(port);
  const key = await client.api.createKey({
    name: 'agent',
    scopes: ['data:write', 'sensors:create'],
    create_limit: 2_000,
  });
  const platform = { port, costs, measured, headers: { Authorization: `Bearer ${key.secret}` } };
  const sets = [];
  for (const count of SERIES) sets.push(await makeSeries(platform, client, count));
  for (let round = -1; round < rounds; round += 1) {
    log(`  round ${round + 1} of ${rounds}`);
    const kept = round < 0 ? new Rows() : rows; // the first round is a warm-up
    for (const series of sets) for (const size of SIZES) await compare(kept, platform, series, size);
  }
  await client.close();
  return rows.list();
}

/** Writes a first line of each series, and finds the sensors that were made. */
async function makeSeries({ port, headers }, client, count) {
  const names = Array.from({ length: count }, (_, index) => `meter,of=${count},site=delft,unit=u${index}`);
  const [connection] = openConnections(port, 1);
  await connection.send(headOf(WRITE, headers), names.map((one) => `${one} value=21.5 ${nextMs()}000000`).join('\n'));
  connection.close();
  const sensors = new Map();
  for (let page = 0; page < 2; page += 1) {
    const { series } = await client.get(`/series?per_page=1000&page=${page}`);
    for (const { name: one, sensor_id: id } of series) sensors.set(one, id);
  }
  return names.map((one) => ({ name: one, sensor: sensors.get(one) }));
}

/** JSON and lines, plain and compressed. */
async function compare(rows, platform, series, size) {
  const asJson = { path: series.length === 1 ? `/sensors/${series[0].sensor}/data` : '/sensors/data', bodyOf: jsonOf };
  const asLines = { path: WRITE, bodyOf: linesOf };
  for (const isCompressed of [false, true]) {
    const suffix = `${size} points of ${series.length} series${isCompressed ? ', gzip' : ''}`;
    await measure(rows, platform, { ...asJson, series, size, isCompressed, what: `JSON, ${suffix}` });
    const against = `JSON, ${suffix}`;
    await measure(rows, platform, { ...asLines, series, size, isCompressed, what: `lines, ${suffix}`, against });
  }
}

async function measure(rows, { port, headers, costs, measured }, { path, bodyOf, series, size, isCompressed, ...row }) {
  const bodies = Array.from({ length: measured / size }, () => {
    const body = Buffer.from(bodyOf(series, datesOf(series.length, size)));
    return isCompressed ? gzipSync(body) : body;
  });
  const head = headOf(path, { ...headers, ...(isCompressed && { 'Content-Encoding': 'gzip' }) });
  const connections = openConnections(port, STREAMS);
  const end = await costs.start();
  const start = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let body = bodies.pop(); body; body = bodies.pop()) await connection.send(head, body);
    }),
  );
  rows.add(row.what, 'points/s', (measured * 1000) / (performance.now() - start), row.against);
  const { cpu, statements } = await end();
  for (const connection of connections) connection.close();
  rows.add(`${row.what}: CPU of API`, 'ms/1,000', (cpu.API * 1e6) / measured);
  rows.add(`${row.what}: CPU of MySQL`, 'ms/1,000', (cpu.MySQL * 1e6) / measured);
  rows.add(`${row.what}: statements`, 'per 1,000', (statements * 1000) / measured);
}

/** The dates of a request: each series has the same ones. */
function datesOf(series, size) {
  return Array.from({ length: Math.ceil(size / series) }, nextMs);
}

function jsonOf(series, dates) {
  const data = `"data":[${dates.map((ms) => `{"value":"21.5","date":${ms / 1000}}`).join()}]`;
  if (series.length === 1) return `{${data}}`;
  return `{"sensors":[${series.map(({ sensor }) => `{"sensor_id":"${sensor}",${data}}`).join()}]}`;
}

function linesOf(series, dates) {
  return dates.map((ms) => series.map(({ name: one }) => `${one} value=21.5 ${ms}000000`).join('\n')).join('\n');
}
