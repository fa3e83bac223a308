import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { readDump } from '../../src/admin/dump/dump-file';

const OF_MYSQL = ") ENGINE=InnoDB AUTO_INCREMENT=7 COLLATE=utf8mb4_unicode_ci COMPRESSION='zlib';";
const OF_FORMER_RELEASE = ") ENGINE=InnoDB AUTO_INCREMENT=7 COLLATE=utf8mb4_unicode_ci `PAGE_COMPRESSED`='1';";
const OF_MARIADB = OF_FORMER_RELEASE.replace(';', " `PAGE_COMPRESSION_LEVEL`='1';");
const WRITTEN =
  ') ENGINE=InnoDB AUTO_INCREMENT=7 COLLATE=utf8mb4_unicode_ci PAGE_COMPRESSED=1 PAGE_COMPRESSION_LEVEL=1;';
/** Lines of data that look like options, or are longer than what is read at once; bytes that are no text. */
const DATA = Buffer.concat([
  Buffer.from(`INSERT INTO t VALUES ('${OF_MYSQL}\\n${OF_MARIADB}'),\n(0x00,'${'long '.repeat(50_000)}`),
  Buffer.from([0xff, 0xfe, 0xc3, 0x28]),
  Buffer.from(`${OF_MARIADB} ${OF_MYSQL}');\n`),
]);

describe('reading a dump', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'dump-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const read = async (content: Buffer, isForMariaDb: boolean) => {
    const file = join(folder, 'dump.sql.gz');
    writeFileSync(file, gzipSync(content));
    const chunks: Buffer[] = [];
    const into = new Writable({
      write: (chunk, _, done) => {
        chunks.push(chunk);
        done();
      },
    });
    await readDump(file, into, isForMariaDb);
    return Buffer.concat(chunks);
  };
  const dumpWith = (options: string) =>
    Buffer.concat([Buffer.from(`CREATE TABLE t (\n  id INT\n${options}\n`), DATA, Buffer.from('-- Dump completed')]);

  it('writes how pages are compressed as its server does, and changes no data', async () => {
    for (const options of [OF_MYSQL, OF_MARIADB, OF_FORMER_RELEASE]) {
      assert.deepEqual(await read(dumpWith(options), false), dumpWith(OF_MYSQL));
      assert.deepEqual(await read(dumpWith(options), true), dumpWith(WRITTEN));
    }
    const plain = dumpWith(') ENGINE=InnoDB;');
    assert.deepEqual(await read(plain, true), plain);
  });

  it("leaves out the command that MariaDB's dumps begin with, for its own client alone", async () => {
    const [first, rest] = ['/*M!999999\\- enable the sandbox mode */ \n', '-- MariaDB dump\n/*M!999999\\- again */\n'];
    assert.equal(String(await read(Buffer.from(first + rest), false)), rest);
  });
});
