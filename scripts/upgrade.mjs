// npm run test:upgrade: lets the processes of a former release and of this one run side by side on one database, which this
// one migrates under load, and counts everything at the end. Exits with code 1 on any fault.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { bringUpInfrastructure } from './infrastructure.mjs';
import { whenAskedToEnd } from './support/ending.mjs';
import { Guard } from './support/guard.mjs';
import { connect } from './torture/client.mjs';
import { Load } from './upgrade/load.mjs';
import { buildCommit, Release } from './upgrade/releases.mjs';

/** The first commit with the schema of 0.1.0. */
const FORMER = '82f463858cd46d0479b42c03250e83fe43b880cf';
const SENSORS = 8;
/** Each sensor fires when its value passes one of these: before, while and after both releases run. */
const THRESHOLDS = [50, 100, 150, 200, 250, 300, 350, 400, 500, 600];
/** What one of both releases does alone, and both together, under load. */
const ALONE_MS = 8_000;
const TOGETHER_MS = 15_000;
/** A balancer looks at readiness again after so long. */
const LEAVE_MS = 500;
const IDLE_WITHIN_MS = 60_000;

const { values } = parseArgs({ options: { from: { type: 'string', default: FORMER } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const guard = new Guard();
const started = Date.now();
const log = (text) => console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);
whenAskedToEnd('scripts/upgrade.mjs', () => guard.close().then(() => process.exit(130)));

const faults = await upgrade().catch((error) => [error.stack]);
await guard.close();
for (const fault of faults) console.log(`fault: ${fault}`);
console.log(`${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);

async function upgrade() {
  const { former, present, env } = await buildReleases();
  const receiver = await startReceiver();
  const formerPort = await former.start();
  const { load, client, sensorIds } = await prepare(formerPort, receiver.url);
  load.ports = [formerPort];
  load.start();
  await sleep(ALONE_MS);
  log('starting this release, which migrates');
  const presentPort = await present.start();
  log('both run');
  load.ports = [formerPort, presentPort];
  const used = await useApi(formerPort, load.session);
  await sleep(TOGETHER_MS);
  load.ports = [presentPort];
  await sleep(LEAVE_MS);
  const exitCodes = await former.stop();
  log('this release runs alone');
  await sleep(ALONE_MS);
  await load.end();
  const uploads = [...load.sent.values()].reduce((sum, count) => sum + count, 0);
  log(`${uploads} uploads, ${load.byPort.get(formerPort)} to the former release, ${receiver.received.length} webhooks`);
  const faults = [
    ...load.failures.map((failure) => `an upload failed: ${failure}`),
    ...used,
    ...exitCodes.filter((code) => code !== 0).map((code) => `a process of the former release ended with ${code}`),
    ...(await judge({ client: { get: client(presentPort) }, load, sensorIds, receiver })),
    ...verify(env),
  ];
  await present.stop();
  await receiver.close();
  return faults;
}

/** Builds the former and this release, which share servers that are started for them. */
async function buildReleases() {
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  guard.removeAtEnd(folder);
  const formerFolder = join(folder, 'former');
  log(`building ${values.from} and this release`);
  buildCommit({ root, commit: values.from, folder: formerFolder });
  await build({ log });
  const { mysqlUrl, redisUrl } = await bringUpInfrastructure({ throwaway: true, env: {}, log, guard });
  const logFile = join(tmpdir(), 'upgrade.log');
  log(`the processes log to ${logFile}`);
  const env = environment({ MYSQL_URL: mysqlUrl, REDIS_URL: redisUrl, DATA_DIR: folder });
  const shared = { env, guard, logFile: openSync(logFile, 'w') };
  return {
    former: new Release({ ...shared, name: 'former', folder: formerFolder }),
    present: new Release({ ...shared, name: 'present', folder: root }),
    env,
  };
}

function environment(servers) {
  return {
    ...{ PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'warn', CHECK_MEMORY: 'on' },
    ...{ RATE_LIMIT_REGISTRATIONS: '0', SHUTDOWN_DELAY_MS: String(2 * LEAVE_MS) },
    DELIVERY_ALLOW_NETWORKS: '127.0.0.0/8',
    ...servers,
  };
}

/** A user with sensors, a trigger that fires only when a point is missing, twice or out of order, and those of the thresholds. */
async function prepare(port, url) {
  const user = await connect([port]);
  const { id: notificationId } = (
    await user.post('/notifications', {
      notification: { type: 'url', destination: url, text: '$trigger_name $sensor_id $sensor_data_value' },
    })
  ).notification;
  const trigger = async (name, expression) =>
    (await user.post('/triggers', { trigger: { name, expression } })).trigger.id;
  const triggerIds = [await trigger('gap', 'sensor_data_value != last_sensor_data_value + 1')];
  for (const value of THRESHOLDS) {
    triggerIds.push(
      await trigger(`over${value}`, `sensor_data_value > ${value} and last_sensor_data_value <= ${value}`),
    );
  }
  const sensorIds = [];
  for (let index = 0; index < SENSORS; index += 1) {
    const { id } = (await user.post('/sensors', { sensor: { name: `sensor ${index}`, data_type: 'integer' } })).sensor;
    for (const triggerId of triggerIds) {
      await user.post(`/sensors/${id}/triggers`, { triggers: [{ trigger: { id: triggerId } }] });
      await user.post(`/sensors/${id}/triggers/${triggerId}/notifications`, {
        notifications: [{ notification: { id: notificationId } }],
      });
    }
    sensorIds.push(id);
  }
  const client = (onPort) => (path) =>
    fetch(`http://127.0.0.1:${onPort}${path}`, { headers: { 'X-SESSION_ID': user.session } }).then((response) =>
      response.json(),
    );
  return { load: new Load({ session: user.session, sensorIds }), client, sensorIds };
}

/** Reads and changes through the former release, on the schema of this one. */
async function useApi(port, session) {
  const call = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-SESSION_ID': session },
      body: body && JSON.stringify(body),
    });
    return response.ok ? [] : [`the former release: ${method} ${path}: ${response.status} ${await response.text()}`];
  };
  const paths = [
    '/sensors?details=full',
    '/triggers',
    '/notifications',
    '/deliveries',
    '/groups',
    '/devices',
    '/users/current',
    '/keys',
    '/sensors/triggers',
    '/readyz',
  ];
  const reads = paths.map((path) => call('GET', path));
  const changes = [
    call('POST', '/sensors', { sensor: { name: 'made meanwhile' } }),
    call('POST', '/triggers', {
      trigger: { name: 'made meanwhile', expression: 'sensor_data_value > 1', inactivity: 600 },
    }),
    call('POST', '/notifications', { notification: { type: 'url', destination: 'http://127.0.0.1:1/' } }),
    call('POST', '/groups', { group: { name: `group ${port}` } }),
    call('POST', '/keys', { key: { name: 'made meanwhile', scopes: ['read'] } }),
  ];
  return (await Promise.all([...reads, ...changes])).flat();
}

async function judge({ client, load, sensorIds, receiver }) {
  const faults = [];
  await untilIdle(client);
  for (const id of sensorIds) {
    const { total } = await client.get(`/sensors/${id}/data?total=1&per_page=1`);
    if (total !== load.sent.get(id))
      faults.push(`sensor ${id} has ${total} points, ${load.sent.get(id)} were answered`);
  }
  const { deliveries } = await client.get('/deliveries?per_page=1000');
  const gaps = receiver.received.filter(({ text }) => text.startsWith('gap'));
  if (gaps.length > 0)
    faults.push(`points were lost, doubled or out of order: ${gaps.map(({ text }) => text).join(', ')}`);
  for (const { id, status } of deliveries) if (status !== 'delivered') faults.push(`delivery ${id} is ${status}`);
  const ids = new Set(receiver.received.map(({ id }) => id));
  if (ids.size !== deliveries.length) faults.push(`${deliveries.length} deliveries, ${ids.size} arrived`);
  const fired = new Set(receiver.received.map(({ text }) => text.split(' ').slice(0, 2).join(' ')));
  for (const id of sensorIds) {
    for (const value of THRESHOLDS.filter((each) => load.sent.get(id) > each)) {
      if (!fired.delete(`over${value} ${id}`)) faults.push(`sensor ${id} passed ${value}, and no webhook came`);
    }
  }
  for (const text of fired) faults.push(`a webhook came without a cause: ${text}`);
  log(`${deliveries.length} deliveries, ${receiver.received.length - ids.size} of them came twice`);
  return faults;
}

async function untilIdle(client) {
  const until = Date.now() + IDLE_WITHIN_MS;
  for (;;) {
    const { deliveries } = await client.get('/deliveries?status=pending');
    if (deliveries.length === 0 && Date.now() > until - IDLE_WITHIN_MS + 3_000) return;
    if (Date.now() > until) return;
    await sleep(200);
  }
}

/** The invariants of the tables, by the command of this release. */
function verify(env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/src/admin/index.js', 'verify'], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  log(stdout.trimEnd().split('\n').at(-1) ?? '');
  return status === 0 ? [] : [`verify: ${stdout}${stderr}`];
}

async function startReceiver() {
  const received = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      received.push({ id: String(request.headers['webhook-id']), text: new URLSearchParams(body).get('text') ?? '' });
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    received,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
