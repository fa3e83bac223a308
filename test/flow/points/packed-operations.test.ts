import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminOf } from '../../support/admin';
import { buildPackedSensor, chunksOf, countRows } from '../../support/chunks';
import { upload } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { runAdmin } from '../../support/other-process';
import { createScratchDatabase } from '../../support/scratch-database';

const VIOLATED = 3;
const POINTS = 3_000;

describe('the commands for operators, on points in chunks', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const { admin, json } = adminOf(platform);
  let id: string;

  beforeEach(async () => {
    await platform.query('DELETE FROM data_chunks');
    const start = Math.floor(Date.now() / 1_000) - 40 * 86_400;
    const data = Array.from({ length: POINTS }, (_, index) => ({ value: index / 4, date: start + index * 600 }));
    id = await buildPackedSensor(platform, user, data);
  });

  const read = async () => (await user.api.get(`/sensors/${id}/data.ndjson`)).body;
  const violated = async () => {
    const { exitCode, output } = await admin('--json', 'verify', '--quiet');
    assert.equal(exitCode, VIOLATED, output);
    return JSON.parse(output).results.map(({ name, examples }: { name: string; examples: number[] }) => {
      assert.deepEqual(examples.map(String), [id]);
      return name;
    });
  };

  it('verify finds a chunk with a changed byte, and one that does not agree with its head', async () => {
    await json('verify', '--quiet');
    const [first, second] = await chunksOf(platform, id);
    const change = (what: string) =>
      platform.query(`UPDATE data_chunks SET ${what} WHERE sensor_id = ? AND last_ms = ?`, [id, first?.lastMs]);
    const [{ body } = { body: null }] = await platform.query(
      'SELECT body FROM data_chunks WHERE sensor_id = ? AND last_ms = ?',
      [id, first?.lastMs],
    );
    const whole = body as Buffer; // a column of bytes
    for (const at of [0, whole.length >> 1, whole.length - 1]) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      await change(`body = x'${damaged.toString('hex')}'`);
      assert.deepEqual(await violated(), ['chunks-are-whole'], `byte ${at}`);
    }
    await change(`body = x'${whole.toString('hex')}'`);
    await json('verify', '--quiet');
    await change('points = points + 1');
    assert.deepEqual(await violated(), ['chunks-are-whole']);
    await change(`points = points - 1, last_ms = ${(second?.firstMs ?? 0) + 1}`);
    assert.deepEqual(await violated(), ['chunks-follow-each-other', 'chunks-are-whole']);
  });

  it('verify finds nothing in chunks of numbers with 16 digits and of -0, and intervals have these numbers', async () => {
    const start = Math.floor(Date.now() / 86_400_000) * 86_400 - 10 * 86_400;
    const values = [90.89000000000001, '-0', 12.120000000000001, 93.00000000000001];
    const data = Array.from({ length: 2_880 }, (_, index) => ({ value: values[index % 4], date: start + index * 60 }));
    const exact = await buildPackedSensor(platform, user, data);
    await json('verify', '--quiet');
    const maxima = await user.api.get(`/sensors/${exact}/data?interval=86400&aggregate=max&sort=ASC&per_page=1`);
    assert.equal(maxima.body.data[0].value, '93.00000000000001', JSON.stringify(maxima.body));
  });

  it('unpack makes rows of all chunks while points are replaced, and pack packs them again', async () => {
    const before = await read();
    const [answer] = await Promise.all([
      runAdmin(platform, ['unpack', '--wait', '1s'], { CHUNK_AFTER_HOURS: '0' }),
      upload(user, id, { value: 'now', date: Date.now() / 1_000 }),
    ]);
    assert.equal(answer.exitCode, 0, answer.errors);
    assert.match(answer.output, /\d chunks? unpacked/);
    assert.deepEqual([(await chunksOf(platform, id)).length, await countRows(platform, id)], [0, POINTS + 1]);
    assert.equal((await read()).startsWith(before), true);
    const { chunks } = await json('pack');
    assert.ok(chunks > 0);
    assert.ok((await countRows(platform, id)) < POINTS);
    assert.equal((await read()).startsWith(before), true);
    await json('verify', '--quiet');
  });

  it('pack and unpack are refused when the setting says the opposite', async () => {
    const [pack, unpack] = await Promise.all([
      runAdmin(platform, ['pack'], { CHUNK_AFTER_HOURS: '0' }),
      admin('unpack', '--wait', '0s'),
    ]);
    assert.deepEqual([pack.exitCode, unpack.exitCode], [1, 1]);
    assert.match(pack.errors, /CHUNK_AFTER_HOURS is 0/);
    assert.match(unpack.errors, /CHUNK_AFTER_HOURS must be 0/);
    assert.ok((await chunksOf(platform, id)).length > 0);
  });

  it('backup and restore keep chunks, which can be unpacked there', async function () {
    if (spawnSync('mariadb-dump', ['--version']).error && spawnSync('mysqldump', ['--version']).error) this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'chunks-'));
    const restored = await createScratchDatabase();
    await restored.connection.query('USE information_schema'); // a restore wants to be alone
    try {
      const file = join(folder, 'all.sql.gz');
      const settings = { MYSQL_URL: restored.url, CHUNK_AFTER_HOURS: '0' };
      await json('backup', file);
      const restore = await runAdmin(platform, ['restore', file], settings);
      assert.equal(restore.exitCode, 0, restore.errors);
      const verified = await runAdmin(platform, ['verify', '--quiet'], settings);
      assert.equal(verified.exitCode, 0, verified.output);
      await restored.connection.query(`USE ${new URL(restored.url).pathname.slice(1)}`);
      const bytes = 'SELECT last_ms AS lastMs, HEX(body) AS body FROM data_chunks ORDER BY sensor_id, last_ms';
      assert.deepEqual(await restored.rows(bytes), await platform.query(bytes));

      assert.equal((await runAdmin(platform, ['unpack', '--wait', '0s'], settings)).exitCode, 0);
      const [row] = await restored.rows('SELECT COUNT(*) AS count FROM data_points WHERE sensor_id = ?', [id]);
      assert.equal(Number(row?.count), POINTS);
    } finally {
      await restored.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
