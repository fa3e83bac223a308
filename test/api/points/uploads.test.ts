import assert from 'node:assert/strict';
import { buildSensor, share, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import type { TestUser } from '../../support/platform';
import { UPLOAD_WAYS } from '../../support/upload-ways';

const NOW = Date.UTC(2026, 0, 15, 12, 0, 0, 250);

for (const { way, headers } of UPLOAD_WAYS) {
  describe(`uploading over HTTP, ${way}`, () => {
    const platform = usePlatform({ clock: { now: () => NOW } });
    const owner = useUser(platform, {}, headers);
    const friend = useUser(platform, {}, headers);
    const stranger = useUser(platform, {}, headers);
    let sensorId: string;

    beforeEach(async () => {
      sensorId = await buildSensor(owner);
    });

    const stored = async (id: string = sensorId, reader = owner): Promise<[number, string][]> => {
      const { body } = await reader.api.get(`/sensors/${id}/data`);
      return body.data.map((point: { date: number; value: string }) => [point.date, point.value]);
    };

    it('stores a list, a single point and a bare one, and returns their number', async () => {
      const bodies: [unknown, number][] = [
        [
          {
            data: [
              { value: 1, date: 1 },
              { value: 2.5, date: '2.125' },
            ],
          },
          2,
        ],
        [{ data: { value: true, date: '3e0' } }, 1],
        [{ value: { lux: 5 }, date: 4 }, 1],
      ];
      for (const [body, accepted] of bodies) {
        const response = await owner.api.post(`/sensors/${sensorId}/data`, body);
        assert.deepEqual([response.status, response.body], [201, { data: { accepted } }]);
      }
      assert.deepEqual(await stored(), [
        [1, '1'],
        [2.125, '2.5'],
        [3, 'true'],
        [4, '{"lux":5}'],
      ]);
    });

    it('accepts forms and query parameters', async () => {
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const path = `/sensors/${sensorId}/data`;
      const responses = [
        await owner.api.post(path, 'data[value]=5&data[date]=1', form),
        await owner.api.post(path, 'value=6&date=2', form),
        await owner.api.post(path, 'data[0][value]=7&data[0][date]=3&data[1][value]=8&data[1][date]=4', form),
        await owner.api.post(`${path}?value=9&date=5`),
        await owner.api.post(`${path}.json`, '{"value":10,"date":6}', form),
      ];
      assert.deepEqual(
        responses.map((response) => response.status),
        [201, 201, 201, 201, 201],
      );
      assert.deepEqual(
        (await stored()).map(([, value]) => value),
        ['5', '6', '7', '8', '9', '10'],
      );
    });

    it('reports what it reads where the body is a bare value', async () => {
      for (const [body, kind] of [
        ['21.5', 'a number'],
        ['"x"', 'a string'],
        ['true', 'a boolean'],
        ['null', 'null'],
      ] as const) {
        const json = { 'Content-Type': 'application/json' };
        const one = await owner.api.post(`/sensors/${sensorId}/data`, body, json);
        assert.deepEqual(
          [one.status, one.body.error],
          [
            400,
            `data must contain at least one data point: it is ${kind}, and no object; send {"value": 21.5, "date": 1795229544} or {"data": [{"value": 21.5}]}`,
          ],
        );
        const several = await owner.api.post('/sensors/data', body, json);
        assert.deepEqual(
          [several.status, several.body.error],
          [
            400,
            `sensors must contain at least one data point: it is ${kind}, and no object; send {"sensors": [{"sensor_id": 42, "data": [{"value": 21.5}]}]}`,
          ],
        );
      }
      assert.deepEqual(await stored(), []);
    });

    it('refuses dates without separators, and names them', async () => {
      const refused = async (body: unknown, path: string, digits: string, iso: string) => {
        const response = await owner.api.post(`/sensors/${sensorId}/data`, body);
        const why = `looks like a date without separators: send "${iso}" or seconds since 1970`;
        assert.deepEqual([response.status, response.body.error], [400, `${path} is ${digits}, which ${why}`]);
      };
      const day = ['20240101', '2024-01-01T00:00:00Z'] as const;
      await refused({ data: [{ value: 1, date: 20_240_101 }] }, 'data[0].date', ...day);
      await refused({ value: 1, date: '20240101' }, 'date', ...day);
      await refused({ value: 1, Timestamp: 20_240_101 }, 'Timestamp', ...day);
      await refused({ value: 1, date: 202_601_011_000 }, 'date', '202601011000', '2026-01-01T10:00:00Z');
      await refused({ value: 1, date: 2_024_010_100 }, 'date', '2024010100', '2024-01-01T00:00:00Z');
      const csv = { 'Content-Type': 'text/csv' };
      const line = await owner.api.post(`/sensors/${sensorId}/data`, 'date,value\n202601011000,5\n', csv);
      assert.match(line.body.error, /^line 2 date is 202601011000, which looks like/);
      for (const query of ['start_date=20240101&end_date=20240131', 'start_date=0&end_date=202401311200']) {
        const path = `/sensors/${sensorId}/data?${query}`;
        for (const { status, body } of [await owner.api.get(path), await owner.api.delete(path)]) {
          assert.equal(status, 400);
          assert.match(body.error, /looks like a date without separators/);
        }
      }
      await upload(owner, sensorId, [
        { value: 1, date: 20_241_301 },
        { value: 2, date: 1_767_261_600 },
        { value: 3, date: 1_924_010_100 },
      ]);
      assert.deepEqual(
        (await stored()).map(([date]) => date),
        [20_241_301, 1_767_261_600, 1_924_010_100],
      );
    });

    it('dates a point without a date by the clock of the platform', async () => {
      await upload(owner, sensorId, { value: 1, date: null });
      assert.deepEqual(await stored(), [[NOW / 1000, '1']]);
    });

    it('replaces the value of the same date, even within one request', async () => {
      await upload(owner, sensorId, [
        { value: 'old', date: 1 },
        { value: 'new', date: 1 },
      ]);
      assert.deepEqual(await stored(), [[1, 'new']]);
      await upload(owner, sensorId, { value: 'newest', date: 1 });
      assert.deepEqual(await stored(), [[1, 'newest']]);
    });

    it('keeps strings unchanged: 65,535 bytes, any character, numbers with zeros', async () => {
      const values = ['é'.repeat(32_767), '😀\u0000"\\', '007.50', ''];
      await upload(
        owner,
        sensorId,
        values.map((value, date) => ({ value, date })),
      );
      assert.deepEqual(
        (await stored()).map(([, value]) => value),
        values,
      );
    });

    it('accepts at most 10,000 points in a request', async () => {
      const data = Array.from({ length: 10_001 }, (_, date) => ({ value: date, date }));
      const path = `/sensors/${sensorId}/data`;
      assert.equal((await owner.api.post(path, { data })).status, 400);
      assert.deepEqual(await stored(), []);
      const response = await owner.api.post(path, { data: data.slice(1) });
      assert.deepEqual([response.status, response.body], [201, { data: { accepted: 10_000 } }]);
      assert.equal((await owner.api.get(`${path}?total=1&per_page=1`)).body.total, 10_000);
    });

    it('accepts at most 10,000 points in total for several sensors', async () => {
      const second = await buildSensor(owner);
      const points = (count: number) => Array.from({ length: count }, (_, date) => ({ value: date, date: date + 1 }));
      const post = (first: number, other: number) =>
        owner.api.post('/sensors/data', {
          sensors: [
            { sensor_id: sensorId, data: points(first) },
            { sensor_id: second, data: points(other) },
          ],
        });
      assert.equal((await post(5_000, 5_001)).status, 400);
      assert.deepEqual([await stored(), await stored(second)], [[], []]);
      const response = await post(5_000, 5_000);
      assert.deepEqual([response.status, response.body], [201, { data: { accepted: 10_000 } }]);
    });

    it('stores nothing when one point is invalid, and names it', async () => {
      const data = [
        { value: 1, date: 1 },
        { value: 1, date: 2 },
        { value: null, date: 3 },
      ];
      const response = await owner.api.post(`/sensors/${sensorId}/data`, { data });
      assert.equal(response.status, 400);
      assert.deepEqual(Object.keys(response.body.fields), ['data[2].value']);
      assert.deepEqual(await stored(), []);
    });

    it('is allowed only for the owner', async () => {
      const path = `/sensors/${sensorId}/data`;
      assert.equal((await stranger.api.post(path, { value: 1 })).status, 404);
      await share(owner, sensorId, friend);
      assert.equal((await friend.api.post(path, { value: 1 })).status, 403);
      assert.equal((await platform.anonymous.post(path, { value: 1 })).status, 401);
      assert.equal((await owner.api.post('/sensors/99999999/data', { value: 1 })).status, 404);
      assert.deepEqual(await stored(), []);
    });

    it('stores or refuses each of the simultaneous uploads of many users separately', async () => {
      await share(owner, sensorId, friend);
      const [own, gone] = [await buildSensor(stranger), await buildSensor(owner)];
      await owner.api.delete(`/sensors/${gone}`);
      const uploads: [TestUser, string, number][] = [
        [owner, sensorId, 201],
        [stranger, sensorId, 404],
        [friend, sensorId, 403],
        [stranger, own, 201],
        [owner, own, 404],
        [owner, gone, 404],
      ];
      const attempts = Array.from({ length: 10 }, (_, date) => uploads.map((upload) => ({ upload, date }))).flat();
      const statuses = await Promise.all(
        attempts.map(async ({ upload: [user, id], date }) => {
          return (await user.api.post(`/sensors/${id}/data`, { value: user.username, date })).status;
        }),
      );
      assert.deepEqual(
        statuses,
        attempts.map(({ upload: [, , status] }) => status),
      );
      const written = (user: TestUser) => Array.from({ length: 10 }, (_, date) => [date, user.username]);
      assert.deepEqual([await stored(), await stored(own, stranger)], [written(owner), written(stranger)]);
    });

    it('stores points of several sensors, which may be listed repeatedly', async () => {
      const second = await buildSensor(owner);
      const response = await owner.api.post('/sensors/data', {
        sensors: [
          { sensor_id: sensorId, data: [{ value: 1, date: 1 }] },
          { sensor_id: Number(second), data: { value: 2, date: 1 } },
          { sensor_id: sensorId, data: [{ value: 3, date: 1 }] },
        ],
      });
      assert.deepEqual([response.status, response.body], [201, { data: { accepted: 3 } }]);
      assert.deepEqual([await stored(), await stored(second)], [[[1, '3']], [[1, '2']]]);
    });

    it('stores points for all of several sensors or for none, and names the refused one', async () => {
      const foreign = await buildSensor(stranger);
      const shared = await buildSensor(stranger);
      await share(stranger, shared, owner);
      for (const [id, status] of [
        [foreign, 404],
        ['99999999', 404],
        [shared, 403],
        ['x', 400],
      ]) {
        const sensors = [sensorId, id].map((sensor_id) => ({ sensor_id, data: [{ value: 1 }] }));
        const response = await owner.api.post('/sensors/data', { sensors });
        assert.equal(response.status, status);
        assert.deepEqual(Object.keys(response.body.fields), ['sensors[1].sensor_id']);
      }
      assert.deepEqual(await stored(), []);
    });
  });
}
