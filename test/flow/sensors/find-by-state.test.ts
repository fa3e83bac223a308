import assert from 'node:assert/strict';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

describe('sensors found by what they are doing now', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const other = useUser(platform);
  const names = new Map<string, string>();

  before(async () => {
    const hot = await buildTrigger(user, { expression: 'sensor_data_value > 30' });
    const slow = await buildTrigger(user, { expression: 'sensor_data_value > 30', hold: 3_600 });
    const build = async (name: string, value: number, trigger?: string, date?: number) => {
      const id = await buildSensor(user, { name });
      names.set(id, name);
      if (trigger) await connectTrigger(user, id, trigger);
      await upload(user, id, { value, ...(date !== undefined && { date }) });
    };
    await build('firing', 31, hot);
    await build('pending', 31, slow);
    await build('ok', 20, hot);
    await build('without triggers', 20);
    await build('silent', 20, undefined, Math.round(Date.now() / 1000) - 2 * 86_400);
    names.set(await buildSensor(user, { name: 'never heard' }), 'never heard');
    await platform.settle();
  });

  const find = async (body: object, who = user) => {
    const { sensors } = (await who.api.post('/sensors/find', { filter: {}, ...body })).body;
    return sensors.map(({ id }: { id: string }) => names.get(id));
  };

  it('are those on which a trigger fires, waits, or does neither', async () => {
    assert.deepEqual(await find({ state: 'firing' }), ['firing']);
    assert.deepEqual(await find({ state: 'pending' }), ['pending']);
    assert.deepEqual(await find({ state: 'ok' }), ['ok']);
    assert.deepEqual(await find({ state: 'firing' }, other), []);
  });

  it('are those without a point for longer than expected, or in a time of choice', async () => {
    assert.deepEqual(await find({ state: 'silent' }), ['silent']);
    assert.deepEqual(await find({ silent_for: 86_400 }), ['silent', 'never heard']);
    assert.deepEqual(await find({ silent_for: 3 * 86_400 }), ['never heard']);
    assert.deepEqual(await find({ state: 'ok', silent_for: 60 }), []);
  });

  it('cannot be found by another state', async () => {
    const { status, body } = await user.api.post('/sensors/find', { filter: {}, state: 'asleep' });
    assert.deepEqual([status, Object.keys(body.fields)], [400, ['state']]);
  });
});
