import assert from 'node:assert/strict';
import { buildEnvironment, buildSensor } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { JPEG, PNG, pngOf, WEBP } from '../../support/plan-pictures';
import type { TestUser } from '../../support/platform';

const OUTLINE = '52.37 4.895,52.3702 4.895,52.3702 4.8954,52.37 4.8954';

describe('floor plans', () => {
  const platform = usePlatform();
  const owner = useUserPerTest(platform);
  const stranger = useUserPerTest(platform);

  const build = (user: TestUser = owner) => buildEnvironment(user, { name: 'Home', gps_outline: OUTLINE });
  const put = (id: string, fields: object, user: TestUser = owner) =>
    user.api.put(`/environments/${id}/floor_plan`, { floor_plan: fields });
  const imageOf = (bytes: Buffer) => ({ image: bytes.toString('base64') });
  const readImage = async (id: string, user: TestUser = owner) => {
    const headers = { 'X-SESSION_ID': user.session };
    const response = await fetch(`${platform.url}/environments/${id}/floor_plan/image`, { headers });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  for (const [type, bytes] of [
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/webp', WEBP],
  ] as const) {
    it(`show a picture of ${type} as it was sent, with a policy that runs nothing`, async () => {
      const id = await build();
      const { status, body } = await put(id, imageOf(bytes));
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.floor_plan.type, body.floor_plan.bytes], [type, bytes.length]);
      const { response, bytes: served } = await readImage(id);
      assert.equal(response.headers.get('content-type'), type);
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(response.headers.get('content-security-policy'), "default-src 'none'; sandbox");
      assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin');
      assert.match(response.headers.get('cache-control') ?? '', /no-store/);
      assert.ok(served.equals(bytes));
    });
  }

  it('have the width and the rotation that were sent, also with 16 digits', async () => {
    const id = await build();
    const sent = { width: 90.89000000000001, rotation: 92.26445841733009 };
    assert.equal((await put(id, { ...imageOf(PNG), ...sent })).status, 200);
    const { width, rotation } = (await owner.api.get(`/environments/${id}/floor_plan`)).body.floor_plan;
    assert.deepEqual({ width, rotation }, sent);
  });

  it('lie on the middle of the outline until they are moved, and keep their picture then', async () => {
    const id = await build();
    const { body: first } = await put(id, imageOf(PNG));
    assert.equal(first.floor_plan.position, '52.3701 4.8952');
    assert.ok(Math.abs(first.floor_plan.width - 27.2) < 0.1, String(first.floor_plan.width));
    const { body: moved } = await put(id, { position: '52.3 4.8', width: 12.5, rotation: -15 });
    const { position, width, rotation, bytes } = moved.floor_plan;
    assert.deepEqual(
      { position, width, rotation, bytes },
      { position: '52.3 4.8', width: 12.5, rotation: -15, bytes: PNG.length },
    );
    const { body: replaced } = await put(id, imageOf(JPEG));
    assert.deepEqual([replaced.floor_plan.position, replaced.floor_plan.type], ['52.3 4.8', 'image/jpeg']);
    assert.deepEqual((await owner.api.get(`/environments/${id}/floor_plan`)).body, replaced);
    assert.deepEqual((await put(id, imageOf(JPEG))).status, 200, 'the same again');
  });

  const refused: [what: string, fields: object, why: RegExp][] = [
    ['no picture the first time', { width: 10 }, /image is required/],
    [
      'an SVG',
      imageOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')),
      /PNG, JPEG or WebP/,
    ],
    ['a page with the name of a picture', imageOf(Buffer.from('<html>GIF89a')), /PNG, JPEG or WebP/],
    ['a GIF', imageOf(Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00', 'latin1')), /PNG, JPEG or WebP/],
    ['the beginning of a PNG', imageOf(PNG.subarray(0, 20)), /PNG, JPEG or WebP/],
    ['a JPEG that ends before its frame', imageOf(JPEG.subarray(0, 12)), /PNG, JPEG or WebP/],
    ['more than 1 MB', imageOf(Buffer.concat([PNG, Buffer.alloc(1024 * 1024)])), /at most 1 MB/],
    ['4,097 pixels', imageOf(pngOf(4_097, 10)), /4097 × 10 pixels/],
    ['4,097 pixels of height', imageOf(pngOf(10, 4_097)), /pixels/],
    ['no pixels', imageOf(pngOf(0, 10)), /PNG, JPEG or WebP/],
    ['a text that is not base64', { image: 'data:image/png;base64,AAAA' }, /base64/],
    ['a position off the earth', { ...imageOf(PNG), position: '91 0' }, /latitude/],
    ['a width of nothing', { ...imageOf(PNG), width: 0 }, /width/],
    ['a rotation of 361 degrees', { ...imageOf(PNG), rotation: 361 }, /rotation/],
  ];
  for (const [what, fields, why] of refused) {
    it(`refuse ${what}`, async () => {
      const id = await build();
      const { status, body } = await put(id, fields);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.error, why);
      assert.equal((await owner.api.get(`/environments/${id}/floor_plan`)).status, 404);
    });
  }

  it('take a picture of exactly 4,096 pixels and 1 MB', async () => {
    const bytes = Buffer.alloc(1024 * 1024);
    pngOf(4_096, 4_096).copy(bytes);
    assert.equal((await put(await build(), imageOf(bytes))).status, 200);
  });

  it('do not exist for other users, nor for those who see a sensor there', async () => {
    const id = await build();
    await put(id, imageOf(PNG));
    const sensor = await buildSensor(owner);
    await owner.api.post(`/environments/${id}/sensors`, { sensors: [{ id: sensor }] });
    await owner.api.post(`/sensors/${sensor}/users`, { user: { id: stranger.id } });
    const path = `/environments/${id}/floor_plan`;
    const answers = [
      await stranger.api.get(path),
      await stranger.api.get(`${path}/image`),
      await put(id, { width: 3 }, stranger),
      await stranger.api.delete(path),
      await stranger.api.get(`/environments/${id}/positions`),
      await stranger.api.put(`/environments/${id}/positions`, { positions: [{ sensor_id: sensor, position: '1 1' }] }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 404),
    );
    assert.equal((await platform.anonymous.get(`${path}/image`)).status, 401);
    assert.equal((await readImage(id)).response.status, 200);
  });

  it('end with a deletion, with the environment and with the account', async () => {
    const count = async (id: string) =>
      (await platform.query('SELECT 1 FROM floor_plans WHERE environment_id = ?', [id])).length;
    const [first, second, third] = [await build(), await build(), await build(stranger)];
    for (const id of [first, second]) await put(id, imageOf(PNG));
    await put(third, imageOf(PNG), stranger);
    assert.equal((await owner.api.delete(`/environments/${first}/floor_plan`)).status, 200);
    assert.equal((await owner.api.delete(`/environments/${first}/floor_plan`)).status, 404);
    assert.equal((await owner.api.get(`/environments/${first}/floor_plan/image`)).status, 404);
    assert.equal((await owner.api.get(`/environments/${first}`)).status, 200);
    await owner.api.delete(`/environments/${second}`);
    assert.equal((await stranger.api.delete(`/users/${stranger.id}`)).status, 200);
    await platform.settle();
    assert.deepEqual([await count(first), await count(second), await count(third)], [0, 0, 0]);
  });

  describe('positions of sensors', () => {
    const place = async (user = owner) => {
      const [id, sensor] = [await build(user), await buildSensor(user)];
      await user.api.post(`/environments/${id}/sensors`, { sensors: [{ id: sensor }] });
      return { id, sensor, path: `/environments/${id}/positions` };
    };

    it('are kept until the sensor leaves the environment', async () => {
      const { id, sensor, path } = await place();
      assert.deepEqual((await owner.api.get(path)).body, { positions: [] });
      const positions = [{ sensor_id: sensor, position: '52.3701 4.8951' }];
      for (let times = 0; times < 2; times += 1) {
        assert.deepEqual((await owner.api.put(path, { positions })).body, { positions });
      }
      await owner.api.post(`/environments/${id}/sensors`, { sensors: [{ id: sensor }] });
      assert.deepEqual((await owner.api.get(path)).body, { positions }, 'putting it in again changes nothing');
      const other = await build();
      await owner.api.post(`/environments/${other}/sensors`, { sensors: [{ id: sensor }] });
      assert.deepEqual((await owner.api.get(`/environments/${other}/positions`)).body, { positions: [] });
    });

    it('are taken away by null, and moved all or none', async () => {
      const { sensor, path } = await place();
      const outside = await buildSensor(owner);
      const at = (sensor_id: string, position: unknown) => ({ sensor_id, position });
      await owner.api.put(path, { positions: [at(sensor, '1 1')] });
      const both = await owner.api.put(path, { positions: [at(sensor, '2 2'), at(outside, '2 2')] });
      assert.equal(both.status, 404);
      assert.deepEqual((await owner.api.get(path)).body.positions, [at(sensor, '1 1')]);
      const wrong = await owner.api.put(path, { positions: [at(sensor, '1 1'), at(sensor, '1 181')] });
      assert.match(wrong.body.error, /positions\[1\]\.position must have a longitude/);
      assert.equal((await owner.api.put(path, { positions: [] })).status, 400);
      assert.deepEqual((await owner.api.put(path, { positions: [at(sensor, null)] })).body, { positions: [] });
    });

    it('are not those of a shared sensor in an environment of another user', async () => {
      const { sensor, path } = await place();
      await owner.api.put(path, { positions: [{ sensor_id: sensor, position: '1 1' }] });
      await owner.api.post(`/sensors/${sensor}/users`, { user: { id: stranger.id } });
      const theirs = await build(stranger);
      await stranger.api.post(`/environments/${theirs}/sensors`, { sensors: [{ id: sensor }] });
      const positions = `/environments/${theirs}/positions`;
      assert.deepEqual((await stranger.api.get(positions)).body, { positions: [] });
      await stranger.api.put(positions, { positions: [{ sensor_id: sensor, position: '2 2' }] });
      assert.equal((await owner.api.get(path)).body.positions[0].position, '1 1');
      await owner.api.delete(`/sensors/${sensor}/users/${stranger.id}`);
      assert.deepEqual((await stranger.api.get(positions)).body, { positions: [] });
      const moved = await stranger.api.put(positions, { positions: [{ sensor_id: sensor, position: '3 3' }] });
      assert.equal(moved.status, 404);
    });
  });
});
