import assert from 'node:assert/strict';
import { apiClient } from '../../support/api-client';
import { buildSensor, buildTrigger, connectTrigger, create, createKey, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { buildFleet, buildMembers, ofKind, passTime, runMethod, summaryOf, useKindPerTest } from '../../support/fleets';
import { usePlatform, useUser } from '../../support/hooks';

describe('the settings of a fleet', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUser(platform);
  const other = useUser(platform);
  let kind: string;
  useKindPerTest({ clock, platform }, (next) => {
    kind = next;
  });

  const send = async (sensorId: string, value: number) => {
    await upload(user, sensorId, { value, date: clock.now() / 1_000 });
    await passTime({ clock, platform }, 1_000);
  };

  it('is given its filter, its trigger and its time without data when it is made', async () => {
    const [one = '', two = ''] = await buildMembers(user, kind, 2);
    const filter = ofKind(kind);
    const trigger = await buildTrigger(user, { expression: 'sensor_data_value > 0' });
    await connectTrigger(user, two, trigger);
    const given = { name: 'fleet_service', filter, silent_after: 3600, trigger_id: trigger };
    const { service } = await create(user, `/sensors/${one}/services`, { service: given });
    const methods = `/sensors/${service.id}/services/${service.id}`;
    const read = async (method: string) => (await user.api.get(`${methods}/${method}`)).body.result;
    assert.deepEqual(await Promise.all(['GetSilentAfter', 'GetTrigger'].map(read)), ['3600', trigger]);
    assert.deepEqual(JSON.parse(await read('GetFilter')), { ...filter, namespace: 'default' });
    await send(one, -20);
    await send(two, 10);
    assert.deepEqual(await summaryOf(user, service.id), {
      ...{ count: 2, average: -5, minimum: -20, maximum: 10, sum: -10, silent: 0, firing: 1 },
    });
  });

  it('is not made with settings that are wrong, or of another service', async () => {
    const [one = ''] = await buildMembers(user, kind, 1);
    const before = (await user.api.get('/sensors?per_page=1')).body.total;
    const fleet = await buildFleet(user, one);
    for (const [service, status, field] of [
      [{ filter: { filter: {} } }, 400, 'service.filter.filter'],
      [{ filter: { filter: { metatag_statement_groups: 'freezer' } } }, 400],
      [{ silent_after: -1 }, 400, 'service.silent_after'],
      [{ silent_after: 1.5 }, 400],
      [{ trigger_id: 'first' }, 404],
      [{ trigger_id: await buildTrigger(other) }, 404],
      [{ name: 'math_service', silent_after: 60 }, 400, 'service.silent_after'],
      [{ id: fleet, filter: ofKind(kind) }, 400, 'service.filter'],
    ] as const) {
      const { status: answered, body } = await user.api.post(`/sensors/${one}/services`, {
        service: { name: 'fleet_service', ...service },
      });
      assert.equal(answered, status, JSON.stringify([service, body]));
      if (field)
        assert.ok(
          Object.keys(body.fields).some((path) => path.endsWith(field)),
          JSON.stringify(body),
        );
    }
    assert.equal((await user.api.get('/sensors?per_page=1')).body.total, before + 1, 'only the fleet was made');
  });

  it('refuses wrong settings, and names what is wrong', async () => {
    const [one = ''] = await buildMembers(user, kind, 1);
    const fleet = await buildFleet(user, one);
    const foreign = await buildTrigger(other);
    for (const [method, parameter, status] of [
      ['SetFilter', 'kind is freezer', 400],
      ['SetFilter', '{"filter":{}}', 400],
      ['SetFilter', '{"filter":{"metatag_statement_groups":"freezer"}}', 400],
      ['SetFilter', '{"filter":5}', 400],
      ['SetFilter', '{"all":1}', 400],
      ['SetField', '', 400],
      ['SetSilentAfter', 'soon', 400],
      ['SetSilentAfter', '-1', 400],
      ['SetTrigger', 'first', 400],
      ['SetTrigger', foreign, 404],
    ] as const) {
      const answer = await runMethod(user, fleet, method, parameter);
      assert.equal(answer.status, status, `${method} ${parameter}: ${JSON.stringify(answer.body)}`);
    }
    assert.equal((await runMethod(other, fleet, 'SetField', 'x')).status, 404);
    const twoFields = { service: { name: 'fleet_service', data_fields: ['a', 'b'] } };
    assert.equal((await user.api.post(`/sensors/${one}/services`, twoFields)).status, 400);
  });

  it('lets no key that is limited to sensors choose others', async () => {
    const [one = ''] = await buildMembers(user, kind, 1);
    const fleet = await buildFleet(user, one, { kind });
    const { secret } = await createKey(user, { scopes: ['read', 'write'], sensors: [fleet] });
    const call = async (method: string, parameter: string) =>
      (
        await apiClient(platform.url, { Authorization: `Bearer ${secret}` }).post(
          `/sensors/${fleet}/services/${fleet}/${method}`,
          { parameters: [parameter] },
        )
      ).status;
    const made = await apiClient(platform.url, { Authorization: `Bearer ${secret}` }).post(
      `/sensors/${fleet}/services`,
      {
        service: { name: 'fleet_service', filter: { all: true } },
      },
    );
    assert.equal(made.status, 403, JSON.stringify(made.body));
    assert.equal(await call('SetFilter', '{"all":true}'), 403);
    assert.equal(await call('SetTrigger', await buildTrigger(user)), 403);
    assert.equal(await call('SetSilentAfter', '60'), 200);
  });

  it('is one of at most 20 of its owner', async () => {
    const owner = await platform.user();
    const sensorId = await buildSensor(owner);
    for (let index = 0; index < 20; index += 1) await buildFleet(owner, sensorId);
    const { status } = await owner.api.post(`/sensors/${sensorId}/services`, { service: { name: 'fleet_service' } });
    assert.equal(status, 409);
  });
});
