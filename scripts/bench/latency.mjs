// How long after a point is sent its delivery arrives. Client and receiver use the same clock.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, create, deliveriesOf, openClient, registered } from './support/client.mjs';
import { inParallel, Rows, timesOf } from './support/figures.mjs';
import { untilEvaluated } from './support/meters.mjs';

export const name = 'latency';
export const order = 2;

const FLOOR = 'limit: 2 bare requests, 2 commits';
const WAYS = [
  { what: '20 firings/s', perSecond: 20, count: 100 },
  { what: '100 firings/s', perSecond: 100, count: 200 },
  { what: '20/s during 3,000 points/s', perSecond: 20, count: 100, load: { ms: 33, points: 100 } },
];
/** Firings until V8 has compiled their path: of the first hundred or two each takes a millisecond or two more. */
const WARM_UP = 200;
const STAGES = ['received', 'stored', 'evaluated', 'queued', 'sent', 'answered'];
const ARRIVES_WITHIN_MS = 30_000;

/** Each firing is of another sensor, because a trigger does not fire again for a minute. */
export async function run({ port, barePort, pool, rounds }) {
  const rows = new Rows();
  const client = await registered(port);
  const bare = openClient(barePort);
  const receiver = await startReceiver();
  const rule = await prepareRule(client, receiver.url);
  await pool.query('CREATE TABLE bench_commits (id INT PRIMARY KEY AUTO_INCREMENT, text TEXT NOT NULL)');
  await fire(client, receiver, await makeKnownSensors(client, pool, rule, WARM_UP), WAYS[0]);
  const stages = new Map(WAYS.map(({ what }) => [what, []]));
  for (let round = 0; round < rounds; round += 1) {
    rows.addTimes(FLOOR, await timesOf(40, () => storeAndSend(bare, pool)));
    for (const way of WAYS) {
      const sensors = await makeKnownSensors(client, pool, rule, way.count);
      const stopLoad = way.load ? await startLoad(client, rule, way.load) : undefined;
      rows.addTimes(way.what, await fire(client, receiver, sensors, way), FLOOR);
      await stopLoad?.();
      stages.get(way.what).push(...(await stagesOf(client, rule, new Set(sensors))));
    }
  }
  for (const [what, deliveries] of stages) addStages(rows, what, deliveries);
  await Promise.all([client.close(), bare.close(), receiver.close()]);
  return rows.list();
}

/** The least any design needs: receive and store the point, store its firing and send it. */
async function storeAndSend(bare, pool) {
  for (let time = 0; time < 2; time += 1) {
    await bare.send('/', '{"data":[]}');
    await pool.query("INSERT INTO bench_commits (text) VALUES ('31.5')");
  }
}

/** Sends one point for each sensor, evenly spread; returns how long each took to arrive as a delivery. */
async function fire(client, receiver, sensors, { perSecond }) {
  const start = performance.now();
  return Promise.all(
    sensors.map(async (sensor, index) => {
      await sleep(start + (index * 1000) / perSecond - performance.now());
      const arrival = receiver.expect(sensor);
      const sentAt = performance.now();
      await client.send(`/sensors/${sensor}/data`, '{"value":"31.5"}');
      return (await arrival) - sentAt;
    }),
  );
}

async function startReceiver() {
  const waiting = new Map();
  const server = createServer(async (request, response) => {
    const arrivedAt = performance.now();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end();
    const sensor = new URLSearchParams(Buffer.concat(chunks).toString('utf8')).get('sensor_id');
    waiting.get(sensor)?.(arrivedAt);
    waiting.delete(sensor);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    expect: (sensor) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no delivery for sensor ${sensor}`)), ARRIVES_WITHIN_MS);
        waiting.set(sensor, (arrivedAt) => {
          clearTimeout(timer);
          resolve(arrivedAt);
        });
      }),
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

async function prepareRule(client, destination) {
  return {
    trigger: await create(client, 'trigger', { name: 'too warm', expression: 'sensor_data_value > 30' }),
    notification: await create(client, 'notification', {
      type: 'url',
      destination,
      text: '$sensor_name: $sensor_data_value °C',
    }),
  };
}

/** Sensors that have sent before, as nearly all that fire. */
async function makeKnownSensors(client, pool, rule, count) {
  const sensors = await makeSensors(client, rule, count);
  await inParallel(sensors, 8, (sensor) => client.send(`/sensors/${sensor}/data`, '{"value":"21.5"}'));
  await untilEvaluated(pool);
  return sensors;
}

function makeSensors(client, { trigger, notification }, count) {
  return inParallel(Array.from({ length: count }), 8, async () => {
    const sensor = await create(client, 'sensor', { name: 'greenhouse' });
    await connect(client, sensor, trigger, notification);
    return sensor;
  });
}

/** Sends points that are evaluated but fire nothing, at a constant rate; returns a function that ends it. */
async function startLoad(client, rule, { ms, points }) {
  const sensors = await makeSensors(client, rule, 8);
  const inFlight = new Set();
  let sent = 0;
  let dateMs = Date.now() - 3_600_000;
  const timer = setInterval(() => {
    const data = Array.from({ length: points }, () => {
      dateMs += 1;
      return { value: '21.5', date: dateMs / 1000 };
    });
    const request = client.post(`/sensors/${sensors[sent % sensors.length]}/data`, { data });
    sent += 1;
    inFlight.add(request.finally(() => inFlight.delete(request)));
  }, ms);
  return async () => {
    clearInterval(timer);
    await Promise.all(inFlight);
  };
}

/** The timing of the deliveries of these sensors. Waits a moment, because the last response may not be recorded yet. */
async function stagesOf(client, { notification }, sensors) {
  await sleep(100);
  const found = [];
  for await (const { sensor_id, timing } of deliveriesOf(client, notification)) {
    if (sensors.has(sensor_id)) found.push(timing);
  }
  return found;
}

function addStages(rows, what, timings) {
  for (const [index, stage] of STAGES.entries()) {
    const before = STAGES[index - 1];
    if (!before) continue;
    const times = timings.filter((timing) => timing[stage] !== null).map((timing) => timing[stage] - timing[before]);
    rows.addTimes(
      `${what}: ${before} → ${stage}`,
      times.map((seconds) => seconds * 1000),
    );
  }
}
