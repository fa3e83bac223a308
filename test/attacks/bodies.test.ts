import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { buildSensor } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform } from '../support/hooks';
import { until } from '../support/until';

describe('an attack by bodies and connections without an account', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);

  const port = () => Number(new URL(platform.url).port);
  const descriptors = () => {
    const api = platform.processes.find(({ name }) => name === 'api');
    return readdirSync(`/proc/${api?.pid}/fd`).length;
  };
  const open = (count: number, text: string): Promise<Socket[]> =>
    Promise.all(
      Array.from(
        { length: count },
        () =>
          new Promise<Socket>((resolve, reject) => {
            const socket = connect(port(), '127.0.0.1', () => {
              socket.write(text, () => resolve(socket));
            });
            socket.once('error', reject);
            socket.on('error', () => undefined).resume();
          }),
      ),
    );

  it('that decompress to millions of brackets, keys or parameters harms no user', async () => {
    const brackets = gzipSync('['.repeat(5_000_000));
    const keys = gzipSync(`{${Array.from({ length: 520_000 }, (_, index) => `"k${index}":1`).join()}}`);
    const form = gzipSync(Array.from({ length: 520_000 }, (_, index) => `k${index}=1`).join('&'));
    const headers = { 'Content-Encoding': 'gzip' };
    let statuses: Record<string, number> = {};
    await bystander.during(async () => {
      const json = { url: `${platform.url}/login`, headers, bodies: [brackets, keys], count: 200, atOnce: 50 };
      const type = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };
      const [first, second] = await Promise.all([flood(json), flood({ ...json, headers: type, bodies: [form] })]);
      statuses = { ...first, ...second };
    });
    assert.deepEqual(Object.keys(statuses), ['413']);
  });

  it('whose charset hides brackets and names from a check of their bytes harms no user', async () => {
    const user = await platform.user();
    // In Shift_JIS the two bytes are one character, and the second of them is a backslash elsewhere.
    const start = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0x95, 0x5c]), Buffer.from('","b":')]);
    const deep = Buffer.from(`${'['.repeat(4_900_000)}${']'.repeat(4_900_000)}}`);
    const wide = Buffer.from(`[${'[],'.repeat(3_200_000)}[]]}`);
    const utf16 = Buffer.from(`{"a":"\u0122","b":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'utf16le');
    const attacks = [
      { charset: 'shift_jis', body: Buffer.concat([start, deep]) },
      { charset: 'gbk', body: Buffer.concat([start, wide]) },
      { charset: 'utf-16le', body: utf16 },
    ];
    const statuses: Record<string, number> = {};
    const seen = await bystander.during(async () => {
      for (const { charset, body } of attacks) {
        const headers = { 'X-SESSION_ID': user.session, 'Content-Type': `application/json; charset=${charset}` };
        const answers = await flood({ url: `${platform.url}/sensors`, headers, bodies: [body], count: 6 });
        for (const [status, count] of Object.entries(answers)) statuses[status] = (statuses[status] ?? 0) + count;
      }
    });
    console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)}`);
    // Some ask for more room than a user has.
    const unexpected = Object.keys(statuses).filter((status) => status !== '415' && status !== '429');
    assert.deepEqual(unexpected, []);
  });

  it('of 10 MB of long numbers, of many names, or with a mistake at the end harms no other user', async () => {
    const user = await platform.user();
    const id = await buildSensor(user);
    const digits = Array.from({ length: 40 }, (_, index) => `1.2345678901234567${index}`).join();
    const long = `{"data":[${Array.from({ length: 10_000 }, (_, date) => `{"date":${date},"value":[${digits}]}`).join()}]}`;
    const names = `{${Array.from({ length: 49_000 }, (_, index) => `"name ${index}":${index}`).join()}}`;
    const many = `{"data":[${Array.from({ length: 10 }, () => names).join()}]}`;
    const headers = { 'X-SESSION_ID': user.session, 'Content-Type': 'application/json' };
    const statuses: Record<string, number> = {};
    const seen = await bystander.during(async () => {
      for (const body of [long, many, `${long.slice(0, -1)}]`]) {
        const url = `${platform.url}/sensors/${id}/data`;
        const answers = await flood({ url, headers, bodies: [Buffer.from(body)], count: 6, atOnce: 3 });
        for (const [status, count] of Object.entries(answers)) statuses[status] = (statuses[status] ?? 0) + count;
      }
    });
    console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)}`);
    assert.deepEqual(Object.keys(statuses).sort(), ['201', '400']);
  });

  it('that arrive slowly on many connections excludes no other user', async () => {
    const head = 'POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 139000\r\n\r\n';
    const sockets = await open(64, `${head}${' '.repeat(60_000)}`);
    const user = await platform.user();
    const id = await buildSensor(user);
    const data = Array.from({ length: 5_000 }, (_, index) => ({ value: index, date: 1_600_000_000 + index }));
    await bystander.during(async () => {
      const { status } = await user.api.post(`/sensors/${id}/data`, { data });
      assert.equal(status, 201, 'a large upload is stored meanwhile');
    });
    await until('the slow connections are closed', () => sockets.every((socket) => socket.destroyed), 60_000);
  });

  it('that are not HTTP leaves no connection open', async () => {
    const before = descriptors();
    await bystander.during(async () => {
      const sockets = await open(200, 'BAD\r\n\r\n');
      // These clients never close their connections.
      await until('the descriptors are free again', () => descriptors() < before + 50);
      for (const socket of sockets) socket.destroy();
    });
  });
});
