// What gateways send, interleaved: to the platform and to a Zabbix server on the same MariaDB: batches over many sensors and single
// points, a trigger on each. Zabbix answers before it stores; so what counts is when everything is stored and evaluated.
// It notifies nobody here, while the platform delivers what fires. Its values have the date of now, as older ones would fill its cache; those of
// the platform differ from each other, so that each is a row.
import { setTimeout as sleep } from 'node:timers/promises';
import { registered } from './support/client.mjs';
import { Costs } from './support/costs.mjs';
import { Rows } from './support/figures.mjs';
import {
  batchOf,
  during,
  FiringSensors,
  makeSensors,
  STREAMS,
  sendBatches,
  sendSingles,
  startReceiver,
  untilEvaluated,
} from './support/meters.mjs';
import { itemsOf, sampleOf, startZabbix } from './support/zabbix.mjs';

export const name = 'zabbix';
export const order = 10;
export const isLong = true;
export const options = { caches: 8 };

const SINGLE_CONNECTIONS = 64;
const STORED_WITHIN_MS = 300_000;
const PLATFORM = 'platform';
const ZABBIX = 'Zabbix';

export async function run({
  port,
  pool,
  processes,
  redis,
  mysqlUrl,
  folder,
  guard,
  rounds,
  seconds,
  sensors: count,
  sizes,
  log,
}) {
  const rows = new Rows();
  const client = await registered(port);
  const receiver = await startReceiver();
  const watched = await makeSensors(client, count, receiver.url);
  const zabbix = await startZabbix({ mysqlUrl, folder, guard, count, caches: sizes.caches });
  log(`  ${count} sensors and ${count} items with a trigger each`);
  const items = itemsOf(count);
  const { MySQL } = processes();
  const costs = {
    [PLATFORM]: new Costs({ processes, pool, redis }),
    [ZABBIX]: new Costs({ processes: () => ({ MySQL, ...zabbix.processes() }), pool, redis }),
  };
  const session = { 'X-SESSION_ID': client.session };
  for (let round = -1; round < rounds; round += 1) {
    log(`  round ${round + 1} of ${rounds}`);
    const kept = round < 0 ? new Rows() : rows; // the first round is a warm-up
    for (const size of [1_000, 250]) {
      await compare(kept, costs, `batches of ${size}`, {
        [ZABBIX]: () => fill(zabbix, () => sendValues(zabbix, seconds, items, size)),
        [PLATFORM]: () => drain(pool, () => sendBatches({ port, seconds, client }, watched, size)),
      });
    }
    await compare(kept, costs, 'single points', {
      [ZABBIX]: () => fill(zabbix, () => sendOnes(zabbix, seconds, items.slice(0, SINGLE_CONNECTIONS))),
      [PLATFORM]: () =>
        drain(pool, () => sendSingles({ port, seconds }, watched.slice(0, SINGLE_CONNECTIONS), () => session)),
    });
  }
  await Promise.all([client.close(), receiver.close(), zabbix.pool.end()]);
  return rows.list();
}

/** What each stores and evaluates, relative to Zabbix. */
async function compare(rows, costs, what, ways) {
  for (const [who, measure] of Object.entries(ways)) {
    const end = await costs[who].start();
    const { sum, ms } = await measure();
    const { cpu } = await end();
    const used = Object.values(cpu).reduce((a, b) => a + b, 0);
    rows.add(`${what}: ${who}`, 'points/s', (sum * 1000) / ms, who === ZABBIX ? undefined : `${what}: ${ZABBIX}`);
    rows.add(`${what}: CPU of all servers, ${who}`, 'ms/1,000', (used * 1e6) / sum);
  }
}

async function drain(pool, send) {
  const { sum, elapsedMs } = await send();
  return { sum, ms: elapsedMs + (await untilEvaluated(pool)) };
}

/** Into an empty table of values, until all of them are there. */
async function fill({ pool }, send) {
  await pool.query('TRUNCATE history');
  const before = await rowsWritten(pool);
  const start = performance.now();
  const { sum } = await send();
  for (;;) {
    if (performance.now() - start > STORED_WITHIN_MS) throw new Error('Zabbix has not stored everything in time');
    // Counted only when that can be, because it takes long.
    if ((await rowsWritten(pool)) - before >= sum) {
      const ms = performance.now() - start;
      const [[{ stored }]] = await pool.query('SELECT COUNT(*) AS stored FROM history');
      if (Number(stored) >= sum) return { sum, ms };
    }
    await sleep(20);
  }
}

async function rowsWritten(pool) {
  const [[status]] = await pool.query("SHOW GLOBAL STATUS LIKE 'Handler_write'");
  return Number(status.Value);
}

function sendValues(zabbix, seconds, items, size) {
  const firing = new FiringSensors();
  return during(seconds, STREAMS, async (stream) => {
    const batch = batchOf(items, stream, size);
    const chosen = firing.of(batch);
    return taken(
      zabbix,
      batch.map((item) => sampleOf(item, chosen.has(item) ? 31.5 : 21.5)),
    );
  });
}

function sendOnes(zabbix, seconds, items) {
  return during(seconds, items.length, (stream) => taken(zabbix, [sampleOf(items[stream], 21.5)]));
}

async function taken(zabbix, values) {
  const count = await zabbix.send(values);
  if (count !== values.length) throw new Error(`Zabbix took ${count} of ${values.length} values`);
  return count;
}
