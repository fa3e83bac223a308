// A Zabbix server on the MariaDB of the benchmark, with as many items and triggers as the platform has sensors.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import mysql from 'mysql2/promise';
import { findBinary } from '../../support/binaries.mjs';
import { freePort } from '../../support/ports.mjs';
import { stopOrder } from '../../support/processes.mjs';

const SERVER = '/usr/sbin/zabbix_server';
const TABLES = '/usr/share/zabbix-server-mysql';
const DATABASE = 'bench_zabbix';
const HOST = 'gateway';
const FIRST_ID = 1_000_000;
const READY_WITHIN_MS = 60_000;
const ANSWERS_WITHIN_MS = 60_000;
const FLOAT = 0;
const TRAPPER = 2;

/** Starts it, with caches so many times as large as it has by default; ends with this process. Throws where Debian's package is missing. */
export async function startZabbix({ mysqlUrl, folder, guard, count, caches }) {
  const client = findBinary('mariadb', 'mysql');
  if (!existsSync(SERVER) || !client) throw new Error('install zabbix-server-mysql and mariadb-client first');
  const { hostname: host, port: dbPort, password } = new URL(mysqlUrl);
  const account = { host, port: Number(dbPort), user: 'root', password };
  const connection = await mysql.createConnection(account);
  await connection.query(`CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  await connection.end();
  for (const file of ['schema', 'images', 'data']) {
    execFileSync(client, ['--no-defaults', `-h${host}`, `-P${dbPort}`, '-uroot', DATABASE], {
      input: gunzipSync(readFileSync(join(TABLES, `${file}.sql.gz`))),
      env: { ...process.env, MYSQL_PWD: password },
    });
  }
  const pool = mysql.createPool({ ...account, database: DATABASE });
  await fillIn(pool, count);
  const port = await freePort();
  const settings = join(folder, 'zabbix.conf');
  writeFileSync(settings, settingsOf({ ...account, port, dbPort, folder, caches }), { mode: 0o600 });
  const child = guard.spawn(SERVER, ['-f', '-c', settings], { stdio: 'ignore', order: stopOrder.api, waitMs: 30_000 });
  const zabbix = {
    pool,
    send: (values) => send(port, values),
    /** Its processes, by a name for each. */
    processes: () => {
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
      return Object.fromEntries([child.pid, ...children].map((pid) => [`Zabbix ${pid}`, Number(pid)]));
    },
  };
  await untilReady(zabbix);
  return zabbix;
}

/** The text of a value that it gets. */
export function sampleOf(item, value, ms = Date.now()) {
  return `{"host":"${HOST}","key":"${item}","value":"${value}","clock":${Math.floor(ms / 1_000)},"ns":${(ms % 1_000) * 1_000_000}}`;
}

/** The names of its items. */
export function itemsOf(count) {
  return Array.from({ length: count }, (_, index) => `item${index}`);
}

/** One host, and a trigger on each item; the server reads them at its start. */
async function fillIn(pool, count) {
  const items = itemsOf(count).map((key, index) => ({ key, id: FIRST_ID + index }));
  const insert = (table, columns, values) => pool.query(`INSERT INTO ${table} (${columns}) VALUES ?`, [values]);
  await insert('hosts', 'hostid, host, name, description', [[FIRST_ID, HOST, HOST, '']]);
  await insert(
    'items',
    'itemid, hostid, type, value_type, name, key_, history, trends, params, description, posts, headers',
    items.map(({ key, id }) => [id, FIRST_ID, TRAPPER, FLOAT, key, key, '7d', '0', '', '', '', '']),
  );
  await insert(
    'item_rtdata',
    'itemid',
    items.map(({ id }) => [id]),
  );
  await insert(
    'triggers',
    'triggerid, expression, description, comments',
    items.map(({ id }) => [id, `{${id}}>30`, 'too warm', '']),
  );
  await insert(
    'functions',
    'functionid, itemid, triggerid, name, parameter',
    items.map(({ id }) => [id, id, id, 'last', '$']),
  );
}

/** Nothing that does not belong to the comparison. */
function settingsOf({ host, dbPort, user, password, port, folder, caches }) {
  const settings = {
    ListenIP: '127.0.0.1',
    ListenPort: port,
    DBHost: host,
    DBPort: dbPort,
    DBName: DATABASE,
    DBUser: user,
    DBPassword: password,
    LogFile: join(folder, 'zabbix.log'),
    PidFile: join(folder, 'zabbix.pid'),
    SocketDir: folder,
    AllowRoot: 1,
    AllowUnsupportedDBVersions: 1, // MariaDB 10.11 is newer than it knows
    StartTrappers: 10,
    StartPingers: 0,
    StartDiscoverers: 0,
    StartHTTPPollers: 0,
    HousekeepingFrequency: 0,
    CacheSize: `${32 * caches}M`,
    HistoryCacheSize: `${16 * caches}M`,
    HistoryIndexCacheSize: `${4 * caches}M`,
    ValueCacheSize: `${8 * caches}M`,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Sends values by the protocol of Zabbix' senders, which has a connection for each request; returns how many were taken. */
function send(port, values) {
  const body = Buffer.from(`{"request":"sender data","data":[${values.join()}]}`);
  const head = Buffer.alloc(13);
  head.write('ZBXD\x01', 'latin1');
  head.writeUInt32LE(body.length, 5);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.setTimeout(ANSWERS_WITHIN_MS, () => socket.destroy(new Error('Zabbix does not answer')));
    socket.on('error', reject);
    socket.on('end', () => resolve(Number(/processed: (\d+);/.exec(text)?.[1])));
    socket.write(Buffer.concat([head, body]));
  });
}

async function untilReady({ send: sendValues }) {
  const until = performance.now() + READY_WITHIN_MS;
  const value = sampleOf(itemsOf(1)[0], 21.5, Date.now() - 7_200_000);
  while ((await sendValues([value]).catch(() => 0)) !== 1) {
    if (performance.now() > until) throw new Error('Zabbix does not take values');
    await sleep(200);
  }
}
