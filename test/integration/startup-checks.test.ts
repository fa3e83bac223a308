import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import mysql, { type Connection, type Pool, type RowDataPacket } from 'mysql2/promise';
import { checkStart } from '../../src/operators/startup-checks';
import { openDatabase } from '../../src/storage';
import { checkMysql } from '../../src/storage/check-mysql';
import { usePrivateServers } from '../support/hooks';

const ROOT = join(__dirname, '../..');
const LIMITED = 'reader';
const PASSWORD = 'only-reads-4711';

interface Started {
  code: number | null;
  lines: string[];
}

/** Starts a process that is expected to end by itself. */
function start(file: string, env: Record<string, string>): Promise<Started> {
  const args = ['-r', './scripts/swc-hook.cjs', '-e', `require('${file}')`];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: ROOT, env, timeout: 60_000 }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, lines: `${stdout}${stderr}`.trimEnd().split('\n') });
    });
  });
}

describe('the checks at the start', () => {
  const servers = usePrivateServers();
  let root: Connection;
  let redis: Redis;

  before(async () => {
    root = await mysql.createConnection(servers.mysqlUrl);
    redis = new Redis(servers.redisUrl);
  });
  after(async () => {
    await root.end();
    redis.disconnect();
  });

  afterEach(() =>
    root.query(
      "SET GLOBAL sql_mode = 'STRICT_TRANS_TABLES', GLOBAL max_allowed_packet = 16777216, GLOBAL read_only = OFF, GLOBAL autocommit = ON",
    ),
  );

  it('find nothing wrong with the servers that npm start makes, but that a throwaway MySQL may lose commits', async () => {
    const { warnings } = await checkStart({ MYSQL_URL: servers.mysqlUrl, REDIS_URL: servers.redisUrl });
    assert.deepEqual(warnings, [
      'MySQL: innodb_flush_log_at_trx_commit is 0; a crash of its machine loses what was committed last',
    ]);
  });

  it('refuse the start of either process with one line for each problem, and serve nothing', async () => {
    await root.query(`CREATE USER '${LIMITED}'@'127.0.0.1' IDENTIFIED BY '${PASSWORD}'`);
    await root.query(`GRANT SELECT, INSERT ON sensors.* TO '${LIMITED}'@'127.0.0.1'`);
    await root.query("SET GLOBAL sql_mode = '', GLOBAL max_allowed_packet = 1048576");
    await redis.config('SET', 'maxmemory', '64mb');
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const url = new URL(servers.mysqlUrl);
    Object.assign(url, { username: LIMITED, password: PASSWORD });
    const env = { MYSQL_URL: url.href, REDIS_URL: servers.redisUrl, LOG_LEVEL: 'loud', TRUST_PROXY: 'yes' };
    const both = await Promise.all([start('./src/api/server', env), start('./workers/index', env)]);
    for (const { code, lines } of both) {
      assert.equal(code, 1);
      const [heading, ...problems] = lines;
      assert.match(heading ?? '', /^(api|worker) cannot start: fix these problems:$/);
      assert.deepEqual(
        problems.map((line) => /^ {2}([A-Za-z_]+): /.exec(line)?.[1]),
        ['LOG_LEVEL', 'TRUST_PROXY', 'MySQL', 'MySQL', 'MySQL', 'Redis'],
      );
      const text = problems.join('\n');
      assert.match(text, /no right to UPDATE, DELETE, CREATE, ALTER, INDEX, DROP, REFERENCES on the database sensors/);
      assert.match(text, /max_allowed_packet is 1 MB; it must be 16 MB or more/);
      assert.match(text, /sql_mode is '[A-Z_]*'; it must contain STRICT_TRANS_TABLES/);
      assert.match(text, /Redis: maxmemory-policy is allkeys-lru; it must be noeviction/);
      assert.ok(!text.includes(PASSWORD));
    }
    assert.deepEqual((await root.query('SHOW TABLES'))[0], [], 'nothing was migrated');
  });

  it('say what is wrong with a MySQL that refuses, or that is not there; Redis may be away', async () => {
    const env = { MYSQL_URL: servers.mysqlUrl.replace(/:[^:@]+@/, ':wrong@'), REDIS_URL: 'redis://127.0.0.1:1' };
    await assert.rejects(checkStart(env), ({ message }: Error) => {
      assert.deepEqual(message.split('\n').length, 2);
      return /MySQL: it cannot be used \(Access denied for user/.test(message);
    });
    await redis.config('SET', 'maxmemory', '0');
    const away = await checkStart({ MYSQL_URL: servers.mysqlUrl, REDIS_URL: 'redis://127.0.0.1:1' });
    assert.ok(away.warnings.some((line) => /^Redis: not reached/.test(line)));
    const evicting = await checkStart({ MYSQL_URL: servers.mysqlUrl, REDIS_URL: servers.redisUrl });
    assert.ok(evicting.warnings.includes('Redis: maxmemory-policy is allkeys-lru; it should be noeviction'));
  });

  it('refuse settings under which texts of users become statements, or nothing is committed', async () => {
    await root.query("SET GLOBAL sql_mode = 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES', GLOBAL autocommit = OFF");
    const database = openDatabase(servers.mysqlUrl);
    const { problems } = await checkMysql(database.pool).finally(() => database.close());
    assert.deepEqual(
      problems.map((line) => line.split(';')[0]),
      ['MySQL: sql_mode contains NO_BACKSLASH_ESCAPES', 'MySQL: autocommit is OFF'],
    );
  });

  it('refuse a server that rolls back a whole transaction at a locked row', async () => {
    const database = openDatabase(servers.mysqlUrl);
    // The setting cannot be changed while a server runs: the server's own answer, with the other value.
    const query = async (sql: string, values?: unknown[]) => {
      const [rows, fields] = await database.pool.query<RowDataPacket[]>(sql, values);
      const changed = rows.map((row) =>
        row.Variable_name === 'innodb_rollback_on_timeout' ? { ...row, Value: 'ON' } : row,
      );
      return [changed, fields];
    };
    const { problems } = await checkMysql({ query } as Pool).finally(() => database.close());
    assert.deepEqual(
      problems.map((line) => line.split(';')[0]),
      ['MySQL: innodb_rollback_on_timeout is ON'],
    );
  });

  it('notice settings that a connection has lost, a server that only reads, and a clock that is wrong', async () => {
    await root.query("SET GLOBAL time_zone = '+02:00', GLOBAL read_only = ON");
    const plain = mysql.createPool(servers.mysqlUrl);
    const database = openDatabase(servers.mysqlUrl);
    try {
      const { problems } = await checkMysql(plain);
      assert.deepEqual(
        problems.map((line) => line.split(' although')[0]),
        [
          'MySQL: the isolation of a connection is REPEATABLE-READ',
          'MySQL: the time zone of a connection is +02:00',
          'MySQL: the server is read-only (read_only is ON); it must be the one that is written to',
        ],
      );
      await root.query('SET GLOBAL read_only = OFF');
      const late = await checkMysql(database.pool, () => Date.now() - 75_000);
      assert.deepEqual(late.problems, []);
      assert.match(late.warnings[0] ?? '', /^the clock of this machine is 7[45] s behind that of MySQL/);
    } finally {
      await plain.end();
      await database.close();
    }
  });
});
