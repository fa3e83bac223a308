import assert from 'node:assert/strict';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildProgram } from '../../../src/admin/program';
import { buildContainer, type Container } from '../../../src/container';
import { createLogger } from '../../../src/platform/logger';
import { apiClient } from '../../support/api-client';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
} from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { type AdminAnswer, runAdmin, startApiElsewhere, startWorkerElsewhere } from '../../support/other-process';
import { ALL_WORK } from '../../support/platform';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database';
import { until } from '../../support/until';

const SENSORS = 40;
const BEFORE = 12;

describe('a backup under load, loaded into an empty database', function () {
  this.timeout(300_000);
  const platform = usePlatform();
  const user = useUser(platform);
  const reliable = useReceiver();
  const failing = useReceiver();
  const children: ChildProcess[] = [];
  let folder: string;
  let restored: ScratchDatabase;

  before(async function () {
    if (spawnSync('mariadb-dump', ['--version']).error && spawnSync('mysqldump', ['--version']).error)
      return this.skip();
    folder = mkdtempSync(join(tmpdir(), 'backup-'));
    restored = await createScratchDatabase();
    await restored.connection.query('USE information_schema'); // a restore wants to be alone
  });

  after(async () => {
    for (const child of children) {
      const ended = once(child, 'exit');
      if (child.kill('SIGKILL')) await ended;
    }
    await restored?.drop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const idsAt = ({ received }: typeof reliable) => received.map(({ headers }) => String(headers['webhook-id']));
  const rows = async (sql: string) => {
    await restored.connection.query(`USE ${new URL(restored.url).pathname.slice(1)}`);
    const found = await restored.rows(sql);
    await restored.connection.query('USE information_schema');
    return found;
  };
  const numbers = async (sql: string) => (await rows(sql)).map((row) => Number(Object.values(row)[0]));

  it('fires nothing twice, loses nothing that was answered before it, and goes on with its deliveries', async () => {
    const sensorIds = await buildAll();
    failing.responses.push(...Array<number>(20).fill(503));
    await platform.startWorkers(ALL_WORK);
    const unused = sensorIds.pop();
    const load = sensorIds.map((id) => () => user.api.post(`/sensors/${id}/data`, { value: 7 }));
    for (const upload of load.splice(0, BEFORE)) assert.equal((await upload()).status, 201);
    await until('a delivery has failed once', () => failing.received.length > 0);
    const file = join(folder, 'sensors.sql.gz');
    const uploading = (async () => {
      for (const upload of load) assert.equal((await upload()).status, 201);
    })();
    const backup = await runAdmin(platform, ['backup', file]);
    assert.equal(backup.exitCode, 0, backup.errors);
    assert.match(backup.output, /bytes in .* s\nkeep .*secrets\.key with it/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await uploading;
    await until('everything has fired', async () => {
      const [row] = await platform.query("SELECT COUNT(*) AS count FROM deliveries WHERE status = 'delivered'");
      return Number(row?.count) === SENSORS;
    });
    await platform.stopWorkers();

    const restore = await admin('restore', file);
    assert.equal(restore.exitCode, 0, restore.errors);
    assert.match(restore.output, /[1-9]\d* keys of Redis deleted/);
    await verify();
    // From here on no limit per minute hides that something is evaluated a second time.
    await rows('UPDATE sensor_triggers SET last_triggered_ms = last_triggered_ms - 120000');
    const pointsOf = await numbers('SELECT sensor_id FROM data_points ORDER BY sensor_id');
    assert.equal(new Set(pointsOf).size, pointsOf.length);
    for (const id of sensorIds.slice(0, BEFORE)) assert.ok(pointsOf.includes(Number(id)), `the point of sensor ${id}`);
    const idsWhere = async (status: string) =>
      (await rows(`SELECT webhook_id AS id FROM deliveries WHERE status = '${status}'`)).map(({ id }) => String(id));
    const [delivered, pending] = [await idsWhere('delivered'), await idsWhere('pending')];
    assert.ok(
      pending.some((id) => idsAt(failing).includes(id)),
      'what failed once waits in the backup',
    );
    for (const receiver of [reliable, failing]) receiver.received.length = 0;
    failing.responses.length = 0;

    const settings = { MYSQL_URL: restored.url };
    const redisUrl = platform.container.config.redisUrl;
    const api = await startApiElsewhere(platform, redisUrl, settings);
    children.push(api.child);
    children.push(await startWorkerElsewhere(platform, redisUrl, settings));
    const isIdle = async () =>
      (
        await numbers(
          "SELECT (SELECT COUNT(*) FROM inbox_batches) + (SELECT COUNT(*) FROM deliveries WHERE status = 'pending')",
        )
      )[0] === 0;
    await until('nothing waits any more', isIdle);
    const repeated = [...idsAt(reliable), ...idsAt(failing)];
    assert.deepEqual(
      repeated.filter((id) => delivered.includes(id)),
      [],
      'what was delivered is not sent again',
    );
    assert.deepEqual(
      pending.filter((id) => !repeated.includes(id)),
      [],
      'what was pending comes with its id',
    );
    assert.deepEqual(
      await numbers('SELECT sensor_id FROM firings ORDER BY sensor_id'),
      pointsOf,
      'each point fired once',
    );

    await until(
      'the API answers',
      async () => (await fetch(`${api.url}/readyz`).catch(() => undefined))?.status === 200,
    );
    const session = apiClient(api.url, { 'X-SESSION_ID': user.session });
    assert.equal((await session.post(`/sensors/${unused}/data`, { value: 8 })).status, 201);
    await until('new points fire', () => reliable.received.some(({ form }) => form.text === `${unused} 8`));
    await verify();
  });

  it('is refused when the file is incomplete, the database is not empty, or others use it', async () => {
    const file = join(folder, 'sensors.sql.gz');
    const cut = join(folder, 'cut.sql.gz');
    const all = readFileSync(file);
    writeFileSync(cut, all.subarray(0, all.length / 2));
    const answers = await Promise.all([
      admin('restore', cut, '--wipe'),
      admin('restore', join(folder, 'none'), '--wipe'),
      admin('restore', file, '--wipe'), // API and worker run
      admin('backup', file),
    ]);
    assert.deepEqual(
      answers.map(({ exitCode }) => exitCode),
      [1, 1, 1, 1],
    );
    [/cut off, damaged or no backup/, /ENOENT/, /other connections use the database/, /exists already/].forEach(
      (reason, at) => {
        assert.match(answers[at]?.errors ?? '', reason);
      },
    );
    assert.ok((await numbers('SELECT COUNT(*) FROM data_points'))[0], 'nothing was wiped');
  });

  it('is loaded as statements only: what makes the client run a program fails', async () => {
    const file = join(folder, 'hostile.sql.gz');
    const made = join(folder, 'made');
    const commands = [`\\! touch ${made}`, `system touch ${made}`, `SELECT 1 \\! touch ${made}`, `\\T ${made}`];
    const other = await createScratchDatabase();
    await other.connection.query('USE information_schema');
    try {
      for (const command of commands) {
        writeFileSync(file, gzipSync(`-- MariaDB dump\n${command}\n;\n-- Dump completed\n`));
        const { exitCode } = await adminOf(other, 'restore', file, '--wipe');
        assert.deepEqual([exitCode, existsSync(made)], [1, false], command);
      }
    } finally {
      await other.drop();
    }
  });

  async function buildAll(): Promise<string[]> {
    const triggerId = await buildTrigger(user, { expression: 'sensor_data_value > 0' });
    const text = '$sensor_id $sensor_data_value';
    const good = await buildNotification(user, { destination: reliable.url, text });
    const bad = await buildNotification(user, { destination: failing.url, text });
    const ids: string[] = [];
    for (let index = 0; index <= SENSORS; index += 1) {
      const id = await buildSensor(user);
      await connectTrigger(user, id, triggerId);
      await connectNotification(user, id, triggerId, good);
      ids.push(id);
    }
    const last = ids[BEFORE - 1];
    if (last) await connectNotification(user, last, triggerId, bad);
    return ids;
  }

  async function verify(): Promise<void> {
    const { exitCode, output, errors } = await admin('verify', '--quiet');
    assert.equal(exitCode, 0, `${output}${errors}`);
  }

  /** A command for the restored database. */
  async function admin(...args: string[]): Promise<AdminAnswer> {
    return adminOf(restored, ...args);
  }

  /** A command for a database, in this process, which takes less time. */
  async function adminOf({ url }: ScratchDatabase, ...args: string[]): Promise<AdminAnswer> {
    const answer = { exitCode: -1, output: '', errors: '' };
    const config = { ...platform.container.config, mysqlUrl: url };
    let container: Container | undefined;
    const program = buildProgram({
      readConfig: () => config,
      buildContainer: () => (container ??= buildContainer(config, createLogger('silent', 'admin'))),
      print: (text) => {
        answer.output += `${text}\n`;
      },
      complain: (text) => {
        answer.errors += `${text}\n`;
      },
    });
    answer.exitCode = await program.run(['node', 'admin', ...args]);
    await container?.close();
    return answer;
  }
});
