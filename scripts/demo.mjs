// Uploads real data, waits for triggers to fire and deliveries to arrive, and compares them with what had to arrive.
import { connect, readAll, waitUntil } from './demo/platform-client.mjs';
import { startReceiver } from './demo/receiver.mjs';
import { compare, printReport } from './demo/report.mjs';
import { ensurePlatform } from './demo/running-platform.mjs';
import { dailyWeather, hourlyTemperatures } from './demo/weather.mjs';

const BATCH = 168;
const INACTIVITY_SECONDS = 60;
const INACTIVITY_RULE = 'no data for a minute';

/** The data to replay, and the rules for it. Read only now: the first start installs the package with the data. */
const streamsOfData = async () => [
  {
    name: 'Seattle, temperature by the hour',
    data_type: 'float',
    months: await hourlyTemperatures(),
    rules: [
      {
        name: 'rises above 20 °C',
        expression: 'sensor_data_value > 20 and last_sensor_data_value <= 20',
        holds: (value, last) => last !== undefined && value > 20 && last <= 20,
      },
      { name: 'below 4 °C', expression: 'sensor_data_value < 4', holds: (value) => value < 4 },
    ],
  },
  {
    name: 'Seattle, weather by the day',
    data_type: 'json',
    months: await dailyWeather(),
    rules: [
      {
        name: 'rises above 30 °C',
        expression: 'sensor_data_value.max > 30 and last_sensor_data_value.max <= 30',
        holds: (value, last) => last !== undefined && value.max > 30 && last.max <= 30,
      },
      { name: 'below freezing', expression: 'sensor_data_value.min < 0', holds: (value) => value.min < 0 },
    ],
  },
];

const platform = await ensurePlatform();
const receiver = await startReceiver();
let failures = ['the demo did not finish'];
try {
  failures = await run();
} catch (error) {
  console.error(`demo: ${error.message}`);
} finally {
  await receiver.close();
  await platform.stop();
}
process.exitCode = failures.length === 0 ? 0 : 1;

async function run() {
  const started = Date.now();
  const client = await connect(platform.url);
  const byUrl = await create(client, 'notification', {
    type: 'url',
    destination: receiver.url,
    text: '{{trigger_name}}: {{sensor_data_value}} after {{last_sensor_data_value}}',
  });
  const byEmail = await create(client, 'notification', {
    type: 'email',
    destination: client.email,
    digest: false, // years of data within a minute: each of its alerts is to be counted
    text: '{{sensor_name}}: {{trigger_name}} at {{sensor_data_value}}',
  });
  const inactive = await setUpInactivity(client, [byUrl, byEmail]);
  const streams = [];
  for (const stream of await streamsOfData()) streams.push(await setUp(client, stream, [byUrl, byEmail]));

  const sentAt = new Map();
  let points = 0;
  let uploadMs = 0;
  for (const stream of streams) {
    console.log(`\n${stream.name}`);
    let last;
    for (const month of stream.months) {
      const expectedNow = expect(stream, month, last);
      last = month.at(-1).value;
      const before = Date.now();
      await upload(client, stream.sensorId, month, sentAt);
      uploadMs += Date.now() - before;
      points += month.length;
      await waitForEvaluation(client, stream, month.at(-1).date);
      await resetRateLimit(client, stream);
      const label = new Date(month[0].date * 1000).toISOString().slice(0, 7);
      console.log(`  ${label}  ${String(month.length).padStart(4)} points  ${expectedNow.join(', ')}`);
    }
  }
  console.log(`\nwaiting for ${INACTIVITY_SECONDS} seconds of inactivity on a sensor without new data`);
  const expected = streams.flatMap((stream) => stream.expected.map((one) => ({ ...one, sensorId: stream.sensorId })));
  const inactivity = await waitForInactivity(client, inactive);
  const firings = await readFirings(client, streams, inactive);
  const wanted = 2 * firings.length;
  const deliveries = await waitUntil(
    `${wanted} delivered notifications`,
    async () => {
      const all = await readAll(client, '/deliveries', 'deliveries');
      return all.length >= wanted && all.every((one) => one.status === 'delivered') ? all : undefined;
    },
    120_000,
  );
  const outcome = { points, uploadMs, expected, firings, deliveries, received: receiver.received, inactivity, sentAt };
  const problems = compare(outcome);
  printReport(outcome, problems, Date.now() - started);
  return problems;
}

async function create(client, kind, fields) {
  return (await client.post(`/${kind}s`, { [kind]: fields }))[kind].id;
}

async function connectTrigger(client, sensorId, fields, notificationIds) {
  const triggerId = await create(client, 'trigger', fields);
  const path = `/sensors/${sensorId}/triggers`;
  await client.post(path, { triggers: [{ trigger: { id: triggerId } }] });
  const notifications = notificationIds.map((id) => ({ notification: { id } }));
  await client.post(`${path}/${triggerId}/notifications`, { notifications });
  return triggerId;
}

async function setUp(client, stream, notificationIds) {
  const sensorId = await create(client, 'sensor', { name: stream.name, data_type: stream.data_type });
  const rules = [];
  for (const rule of stream.rules) {
    const { name, expression } = rule;
    rules.push({ ...rule, triggerId: await connectTrigger(client, sensorId, { name, expression }, notificationIds) });
  }
  return { ...stream, sensorId, rules, expected: [] };
}

async function setUpInactivity(client, notificationIds) {
  const sensorId = await create(client, 'sensor', {
    name: 'Seattle, a gateway that stops sending',
    data_type: 'float',
  });
  const fields = { name: INACTIVITY_RULE, inactivity: INACTIVITY_SECONDS };
  const triggerId = await connectTrigger(client, sensorId, fields, notificationIds);
  const sent = Date.now();
  await client.post(`/sensors/${sensorId}/data`, { value: 11.5 });
  return { sensorId, triggerId, sent, stored: Date.now() };
}

/** Each rule has to fire at the first point of the month for which it holds: the others are within the same minute. */
function expect(stream, month, lastOfPreviousMonth) {
  const names = [];
  for (const rule of stream.rules) {
    let last = lastOfPreviousMonth;
    const point = month.find(({ value }) => {
      const holds = rule.holds(value, last);
      last = value;
      return holds;
    });
    if (!point) continue;
    stream.expected.push({ triggerId: rule.triggerId, name: rule.name, date: point.date });
    names.push(rule.name);
  }
  return names;
}

async function upload(client, sensorId, points, sentAt) {
  for (let start = 0; start < points.length; start += BATCH) {
    const data = points.slice(start, start + BATCH);
    const now = Date.now();
    for (const { date } of data) sentAt.set(`${sensorId} ${date}`, now);
    await client.post(`/sensors/${sensorId}/data`, { data });
  }
}

function waitForEvaluation(client, { sensorId, rules }, date) {
  return waitUntil(
    'the evaluation of a month',
    async () => {
      const { triggers } = await client.get(`/sensors/${sensorId}/triggers`);
      return triggers.length === rules.length && triggers.every((one) => one.last_sensor_data_date === date);
    },
    60_000,
  );
}

/** A replay is faster than real sensors: this reset lets each trigger fire once per month, not once per minute. */
async function resetRateLimit(client, { sensorId, rules }) {
  for (const { triggerId } of rules) {
    await client.put(`/sensors/${sensorId}/trigger/${triggerId}`, { trigger: { last_triggered: 0 } });
  }
}

async function waitForInactivity(client, { sensorId, triggerId, sent, stored }) {
  const [firing] = await waitUntil(
    'the firing of the inactivity trigger',
    async () => {
      const { firings } = await client.get(`/sensors/${sensorId}/triggers/${triggerId}/firings`);
      return firings.length > 0 ? firings : undefined;
    },
    (INACTIVITY_SECONDS + 60) * 1000,
  );
  const firedMs = firing.date * 1000;
  return { afterAtMost: (firedMs - sent) / 1000, afterAtLeast: (firedMs - stored) / 1000 };
}

async function readFirings(client, streams, inactive) {
  const pairs = [
    ...streams.flatMap(({ sensorId, rules }) => rules.map(({ triggerId, name }) => ({ sensorId, triggerId, name }))),
    { ...inactive, name: INACTIVITY_RULE },
  ];
  const found = [];
  for (const { sensorId, triggerId, name } of pairs) {
    const list = await readAll(client, `/sensors/${sensorId}/triggers/${triggerId}/firings`, 'firings');
    found.push(
      ...list.map((firing) => ({ ...firing, sensorId, triggerId, name, byInactivity: sensorId === inactive.sensorId })),
    );
  }
  return found;
}
