// Sensors with old points, which the platform packs into chunks: late and replaced points, deletions, and readers that
// compare each answer with what was acknowledged.
import { setTimeout as sleep } from 'node:timers/promises';
import { randomSource } from './random.mjs';

const SPAN_MS = 700 * 86_400_000;
const NEWEST_AGE_MS = 120_000;
const POINTS_PER_UPLOAD = 300;
const REPLACED_AT_ONCE = 60;
const MOST_POINTS = 12_000;
const PER_PAGE = 1_000;
const PAUSE_MS = 1_400;
/** After a request had to be repeated, the first one may still be executed for a moment. */
const ECHO_MS = 3_000;
const DAY_MS = 86_400_000;
const WRITES = [
  ['upload', 5],
  ['replace', 3],
  ['deleteOne', 2],
  ['deleteRange', 1],
];
const READS = [
  ['page', 3],
  ['intervals', 2],
  ['export', 1],
];

/** Creates the sensors. */
export async function prepareCold(client, seed, count = 4) {
  const sensors = [];
  for (let index = 0; index < count; index += 1) {
    const { sensor } = await client.post('/sensors', { sensor: { name: `cold ${index}` } });
    sensors.push(new ColdSensor(client, sensor.id, randomSource(seed + index)));
  }
  return sensors;
}

/** Writes and reads at the same time until `isOver()`. */
export async function useCold(sensor, isOver) {
  const repeat = async (act) => {
    while (!isOver()) {
      await act();
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all([repeat(() => sensor.write()), repeat(() => sensor.read())]);
}

/** Reads all points of every sensor, and compares them. */
export async function compareAll(sensors) {
  for (const sensor of sensors) await sensor.readAll();
}

/** The wrong answers, among them those that are given at the end. */
export async function judgeCold(sensors) {
  await compareAll(sensors);
  const sum = (of) => sensors.reduce((total, sensor) => total + of(sensor), 0);
  return {
    points: sum(({ size }) => size),
    writes: sum(({ begun }) => begun),
    reads: sum(({ reads }) => reads),
    unanswered: sum(({ unanswered }) => unanswered),
    wrong: sum(({ faults }) => faults.length),
    remarks: sensors.flatMap(({ id, faults }) => faults.slice(0, 3).map((fault) => `cold sensor ${id}: ${fault}`)),
  };
}

class ColdSensor {
  sent = 0;
  reads = 0;
  unanswered = 0;
  faults = [];
  /** Number of writes that have begun, and that have ended: one at a time. */
  begun = 0;
  #ended = 0;
  /** By date in ms: the value, undefined after a deletion, and the last write that has changed it. */
  #points = new Map();
  /** When a write last had to be repeated; what its first request did meanwhile is unknown. */
  #repeatedMs = undefined;

  constructor(client, id, random) {
    this.client = client;
    this.id = id;
    this.random = random;
    this.newestMs = Math.floor(Date.now() / 1_000) * 1_000 - NEWEST_AGE_MS;
  }

  get size() {
    return this.#expected(() => true).size;
  }

  async write() {
    const what = this.size > MOST_POINTS ? 'deleteRange' : this.random.pick(WRITES);
    this.begun += 1;
    let tries = 0;
    await this[what](() => {
      tries += 1;
    });
    if (tries > 1) {
      this.#repeatedMs = Date.now();
      await sleep(ECHO_MS);
    }
    this.#ended = this.begun;
  }

  async read() {
    try {
      await this[this.random.pick(READS)]();
      this.reads += 1;
    } catch {
      this.unanswered += 1; // a busy machine may not answer in time
    }
  }

  /** Compares all points, and their number. */
  async readAll() {
    await this.export({ startMs: 0, endMs: Date.now() });
    const { total } = await this.client.get(`${this.#path}?total=1&per_page=1`);
    if (total !== this.size) this.faults.push(`${total} points are counted, and ${this.size} were acknowledged`);
  }

  async upload(onTry) {
    const stepMs = this.random.pick([
      [1_000, 3],
      [60_000, 3],
      [3_600_000, 2],
      [2 * DAY_MS, 2],
    ]);
    const startMs = this.#anyDate();
    const dates = Array.from({ length: POINTS_PER_UPLOAD }, (_, index) => startMs + index * stepMs);
    await this.#send(
      dates.filter((dateMs) => dateMs <= this.newestMs),
      onTry,
    );
  }

  async replace(onTry) {
    const dates = [...this.#points.keys()];
    const some = Array.from({ length: REPLACED_AT_ONCE }, () => dates[this.random.between(0, dates.length - 1)]);
    await this.#send([...new Set(some)].filter(Boolean), onTry);
  }

  async deleteOne(onTry) {
    const dates = [...this.#expected(() => true).keys()];
    const dateMs = dates[this.random.between(0, dates.length - 1)];
    if (dateMs === undefined) return;
    this.#set(dateMs, undefined);
    await this.client.delete(`${this.#path}/${dateMs + 1}`, onTry);
  }

  async deleteRange(onTry) {
    const range = this.#anyRange(this.random.between(1, 60) * DAY_MS);
    for (const dateMs of this.#expected(isIn(range)).keys()) this.#set(dateMs, undefined);
    await this.client.delete(`${this.#path}?${queryOf(range)}`, onTry);
  }

  async page() {
    const range = this.#anyRange(this.random.between(1, 300) * DAY_MS);
    const sort = this.random.pick([
      ['ASC', 1],
      ['DESC', 1],
    ]);
    const settled = this.#ended;
    const { data } = await this.client.get(`${this.#path}?${queryOf(range)}&sort=${sort}&per_page=${PER_PAGE}`);
    const last = data.length < PER_PAGE ? undefined : dateOf(data.at(-1));
    const [startMs, endMs] =
      sort === 'ASC' ? [range.startMs, last ?? range.endMs] : [last ?? range.startMs, range.endMs];
    this.#compare(data, { startMs, endMs }, settled, `a page ${sort}`);
  }

  async export(range = this.#anyRange(this.random.between(1, 200) * DAY_MS)) {
    const settled = this.#ended;
    const text = await this.client.get(`${this.#path}.ndjson?${queryOf(range)}`);
    const data = text.split('\n').filter(Boolean).map(JSON.parse);
    this.#compare(data, range, settled, 'an export');
  }

  async intervals() {
    const { startMs, endMs } = this.#anyRange(this.random.between(1, 200) * DAY_MS);
    const range = { startMs: startMs - (startMs % DAY_MS), endMs };
    const settled = this.#ended;
    const query = `interval=86400&aggregate=count&per_page=${PER_PAGE}`;
    const { data } = await this.client.get(`${this.#path}?${queryOf(range)}&${query}`);
    const shown = new Map(data.map((point) => [dateOf(point), Number(point.value)]));
    const counts = new Map();
    const changed = new Set();
    for (const [dateMs, { value, write }] of this.#points) {
      if (!isIn(range)(dateMs)) continue;
      const dayMs = dateMs - (dateMs % DAY_MS);
      if (write > settled) changed.add(dayMs);
      if (typeof value === 'number') counts.set(dayMs, (counts.get(dayMs) ?? 0) + 1);
    }
    for (const [dayMs, count] of counts) {
      if (changed.has(dayMs) || shown.get(dayMs) === count) continue;
      this.faults.push(`${shown.get(dayMs)} numbers are counted on the day ${dayMs}, and ${count} were acknowledged`);
    }
  }

  /** Compares what no write was changing when the request began, or has changed since. */
  #compare(data, range, settled, what) {
    const shown = new Map(data.map((point) => [dateOf(point), point.value]));
    if (shown.size < data.length) this.faults.push(`${what} has ${data.length - shown.size} points twice`);
    for (const dateMs of shown.keys()) {
      if (!this.#points.has(dateMs)) this.faults.push(`${what} has a point of ${dateMs}, which was never sent`);
    }
    for (const [dateMs, { value, write }] of this.#points) {
      if (write > settled || !isIn(range)(dateMs)) continue;
      const found = shown.get(dateMs);
      const text = value === undefined ? undefined : textOf(value);
      if (found === text || (found !== undefined && textOf(found) === text)) continue;
      this.faults.push(`${what} has ${found} at ${dateMs}, and ${text} was acknowledged (${this.#lastRepeat})`);
    }
  }

  get #lastRepeat() {
    if (this.#repeatedMs === undefined) return 'no write was repeated';
    return `a write was repeated ${((Date.now() - this.#repeatedMs) / 1_000).toFixed(1)} s before`;
  }

  async #send(dates, onTry) {
    if (dates.length === 0) return;
    const data = dates.map((dateMs) => ({ date: dateMs / 1_000, value: this.#anyValue() }));
    dates.forEach((dateMs, index) => {
      this.#set(dateMs, data[index].value);
    });
    this.sent += dates.length;
    await this.client.post(this.#path, { data }, onTry);
  }

  #set(dateMs, value) {
    this.#points.set(dateMs, { value, write: this.begun });
  }

  /** The points that are stored if all writes have succeeded. */
  #expected(isWanted) {
    return new Map([...this.#points].filter(([dateMs, { value }]) => value !== undefined && isWanted(dateMs)));
  }

  #anyValue() {
    const number = this.random.between(-4_000, 9_000) / 100;
    const kind = this.random.between(0, 9);
    if (kind === 0) return `state ${this.random.between(0, 3)}`;
    if (kind === 1) return { t: number, fan: this.random.between(0, 1) === 1 };
    return number;
  }

  #anyDate() {
    return this.newestMs - this.random.between(0, SPAN_MS / 1_000) * 1_000;
  }

  #anyRange(lengthMs) {
    const startMs = this.#anyDate();
    return { startMs, endMs: Math.min(startMs + lengthMs, this.newestMs) };
  }

  get #path() {
    return `/sensors/${this.id}/data`;
  }
}

const isIn =
  ({ startMs, endMs }) =>
  (dateMs) =>
    dateMs >= startMs && dateMs <= endMs;

function queryOf({ startMs, endMs }) {
  return `start_date=${startMs / 1_000}&end_date=${endMs / 1_000}`;
}

function dateOf({ date }) {
  return Math.round(date * 1_000);
}

/** A value as it is stored. */
function textOf(value) {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
