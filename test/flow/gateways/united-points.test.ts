import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { chunksOf, packAll } from '../../support/chunks';
import { buildTrigger, connectTrigger, createKey, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { startApiElsewhere } from '../../support/other-process';
import { until } from '../../support/until';

const START_MS = 60_000;
const FIELDS = 40;

describe('lines of one time', function () {
  this.timeout(300_000);
  const platform = usePlatform();
  const user = useUser(platform);
  let other: { child: ChildProcess; url: string };
  let key: string;

  before(async () => {
    key = (await createKey(user, { scopes: ['data:write', 'sensors:create'] })).secret;
    other = await startApiElsewhere(platform, platform.container.config.redisUrl);
    const isUp = async () => (await fetch(`${other.url}/readyz`).catch(() => undefined))?.status === 200;
    await until('the other API process is ready', isUp, START_MS);
  });
  after(() => {
    other.child.kill('SIGKILL');
  });

  const post = (body: string, { precision = 's', url = platform.url } = {}) =>
    fetch(`${url}/api/v2/write?bucket=b&precision=${precision}`, {
      method: 'POST',
      headers: { authorization: `Token ${key}` },
      body,
    });
  const write = async (body: string, options?: { precision?: string; url?: string }) => {
    const response = await post(body, options);
    assert.equal(response.status, 204, await response.text());
  };
  const sensorOf = async (name: string): Promise<string> => {
    const { body } = await user.api.get('/series?per_page=1000');
    return body.series.find((one: { name: string }) => one.name === name).sensor_id; // a record of the API
  };
  const stored = async (name: string): Promise<[value: string, date: number][]> => {
    const { body } = await user.api.get(`/sensors/${await sensorOf(name)}/data?per_page=1000`);
    return body.data.map(({ value, date }: { value: string; date: number }) => [value, date]);
  };
  const recentS = () => Math.floor(Date.now() / 1000);

  it('are one point with the fields of all, in one request', async () => {
    const date = recentS();
    await write(`one,room=a t=21.5 ${date}\none,room=a h=40 ${date}\none,room=a t=22 ${date}`);
    assert.deepEqual(await stored('one,room=a'), [['{"t":22,"h":40}', date]]);
  });

  for (const [what, ageS] of [
    ['recent', 0],
    ['old', 3_600],
  ] as const) {
    it(`are one point over several requests: ${what}`, async () => {
      const date = recentS() - ageS;
      for (const line of ['t=21.50', 'h=40', 'n=9007199254740993', 't=21.50', 'h=41']) {
        await write(`several${ageS} ${line} ${date}`);
      }
      assert.deepEqual(await stored(`several${ageS}`), [['{"t":21.50,"h":41,"n":9007199254740993}', date]]);
    });
  }

  it('are corrected in one field, and keep the others', async () => {
    const date = recentS();
    await write(`corrected t=21.5,h=40 ${date}`);
    await write(`corrected t=22 ${date}`);
    assert.deepEqual(await stored('corrected'), [['{"t":22,"h":40}', date]]);
    await write(`plain value=1 ${date}`);
    await write(`plain value=2 ${date}`);
    assert.deepEqual(await stored('plain'), [['2', date]]);
    await write(`plain h=40 ${date}`);
    assert.deepEqual(await stored('plain'), [['{"value":2,"h":40}', date]]);
  });

  it('change nothing when they are sent again', async () => {
    const date = recentS();
    const body = Array.from({ length: 300 }, (_, at) => `again,n=${at % 3} t=${at},h=1 ${date - at}`).join('\n');
    await write(body);
    const before = await stored('again,n=1');
    await write(body);
    assert.deepEqual(await stored('again,n=1'), before);
    assert.equal(before.length, 100);
  });

  it('are one point with one that is packed', async () => {
    const date = recentS() - 90_000;
    await write(Array.from({ length: 400 }, (_, at) => `packed t=${at} ${date + at}`).join('\n'));
    const id = await sensorOf('packed');
    await packAll(platform, id);
    assert.ok((await chunksOf(platform, id)).length > 0);
    await write(`packed h=40 ${date}\npacked t=-1 ${date + 1}\npacked t=2 ${date + 2}`);
    const points = await stored('packed');
    assert.deepEqual(points.slice(0, 3), [
      ['{"t":0,"h":40}', date],
      ['{"t":-1}', date + 1],
      ['{"t":2}', date + 2],
    ]);
    assert.equal(points.length, 400);
  });

  for (const ageS of [0, 3_600]) {
    it(`lose no field when they arrive at once at two processes, ${ageS} s old`, async () => {
      const date = recentS() - ageS;
      await write(`race${ageS} first=1 ${date}`);
      for (let round = 1; round <= 5; round += 1) {
        const fields = Array.from({ length: FIELDS }, (_, field) => `f${field}`);
        await Promise.all(
          fields.map((field, index) =>
            write(`race${ageS} ${field}=${round} ${date + round}`, { url: index % 2 ? other.url : platform.url }),
          ),
        );
        const [value = ''] = (await stored(`race${ageS}`))[round] ?? [];
        assert.deepEqual(Object.keys(JSON.parse(value)).sort(), fields.sort());
      }
    });
  }

  it('unite with a point of an upload, and an upload replaces the point', async () => {
    const date = recentS();
    await write(`upload t=21.5 ${date}`);
    const id = await sensorOf('upload');
    await upload(user, id, [{ value: { u: 1 }, date }]);
    await write(`upload h=40 ${date}`);
    assert.deepEqual(await stored('upload'), [['{"u":1,"h":40}', date]]);
  });

  it('are evaluated with the fields of all', async () => {
    const date = recentS() - 5;
    await write(`rule t=21.5 ${date - 1}`);
    const id = await sensorOf('rule');
    const trigger = await buildTrigger(user, { expression: 'sensor_data_value.t > 20 and sensor_data_value.h > 30' });
    await connectTrigger(user, id, trigger);
    await write(`rule t=21.5 ${date}\nrule h=40 ${date}`);
    await platform.settle();
    const { body } = await user.api.get(`/sensors/${id}/triggers/${trigger}/firings`);
    assert.equal(body.firings.length, 1);
  });

  it('are evaluated again when a field comes later, in another request', async () => {
    const date = recentS() - 5;
    await write(`later t=21.5 ${date - 1}`);
    const id = await sensorOf('later');
    const trigger = await buildTrigger(user, { expression: 'sensor_data_value.t > 20 and sensor_data_value.h > 30' });
    await connectTrigger(user, id, trigger);
    const fired = async () => {
      await platform.settle();
      const { body } = await user.api.get(`/sensors/${id}/triggers/${trigger}/firings`);
      return body.firings.map(
        ({ variables }: { variables: { sensor_data_value: string } }) => variables.sensor_data_value,
      );
    };
    await write(`later t=21.5 ${date}`);
    assert.deepEqual(await fired(), []);
    await write(`later h=40 ${date}`);
    assert.deepEqual(await fired(), ['{"t":21.5,"h":40}']);
    await write(`later h=40 ${date}`);
    assert.equal((await fired()).length, 1, 'the same value again is a repeated request');
  });

  it('are two points if they differ below a millisecond, in one request and in several', async () => {
    const ms = Date.now();
    const lines = ['100000', '200000', '300000'].map((rest, at) => `below value=${at} ${ms}${rest}`);
    for (const line of lines) await write(line, { precision: 'ns' });
    const points = await stored('below');
    assert.deepEqual(points, [
      ['0', ms / 1000],
      ['1', (ms + 1) / 1000],
      ['2', (ms + 2) / 1000],
    ]);
    for (const line of [...lines].reverse()) await write(line, { precision: 'ns' });
    await write(lines.join('\n'), { precision: 'ns' });
    await write(`below value=1 ${ms}200`, { precision: 'us' });
    assert.deepEqual(await stored('below'), points);
    await write(`below h=40 ${ms}300`, { precision: 'us' });
    assert.deepEqual((await stored('below'))[2], ['{"value":2,"h":40}', (ms + 2) / 1000]);
  });

  it('are all stored if many differ below a millisecond', async () => {
    const ms = Date.now() - 1_000;
    const lines = Array.from({ length: 60 }, (_, at) => `many v=${at} ${ms}${String(at).padStart(6, '0')}`);
    await Promise.all(
      lines.map((line, at) => write(line, { precision: 'ns', url: at % 2 ? other.url : platform.url })),
    );
    const values = (await stored('many')).map(([value]) => JSON.parse(value).v);
    assert.deepEqual(
      values.sort((a, b) => a - b),
      lines.map((_, at) => at),
    );
    const before = await stored('many');
    await write(lines.join('\n'), { precision: 'ns' });
    assert.deepEqual(await stored('many'), before);
  });

  it('are refused with 413, so that agents divide them, if their fields are too large together', async () => {
    const date = recentS();
    const text = 'x'.repeat(40_000);
    const both = await post(`large a="${text}" ${date}\nlarge b="${text}" ${date}`);
    assert.equal(both.status, 413);
    assert.match(await both.text(), /fields of one time are larger than 65535 bytes/);
    await write(`large a="${text}" ${date}`);
    assert.equal((await post(`large b="${text}" ${date}`)).status, 413);
    assert.equal((await stored('large')).length, 1);
  });
});
