import assert from 'node:assert/strict';
import { useDependencies } from '../../support/dependencies';
import { buildMute, connectTrigger } from '../../support/factories';

describe('a trigger that depends on another one', () => {
  const { clock, platform, user, build, label, notify, pass, send, got, firingOf, put, waiting } = useDependencies();

  it('is held while the other one fires, and nobody is notified of what ended meanwhile', async () => {
    const { gateway, sensors } = await build();
    const [sensor = ''] = sensors;
    await send(31, gateway);
    await send(31, sensor);
    await pass(2);
    assert.deepEqual([got('parent'), got('child')], [['gateway'], []]);
    await pass(3_600);
    await send(20, sensor);
    await send(20, gateway);
    await pass(3_600);
    assert.deepEqual([got('parent'), got('child'), await waiting()], [['resolved'], [], 0]);
  });

  it('goes out once when the other one ends, and gets its end', async () => {
    const { gateway, sensors } = await build();
    const [sensor = ''] = sensors;
    await send(31, gateway);
    await send(31, sensor);
    await pass(600);
    assert.deepEqual(got('child'), []);
    await send(20, gateway);
    assert.deepEqual(got('child'), ['s0']);
    await pass(3_600);
    await send(20, sensor);
    assert.deepEqual(got('child'), ['resolved']);
  });

  it('goes out two seconds after it fired if the other one does not fire, alone and with its own id', async () => {
    const { sensors } = await build({ sensors: 2 });
    await send(31, ...sensors);
    await pass(1);
    assert.deepEqual(got('child'), []);
    await pass(1);
    assert.deepEqual(got('child').sort(), ['s0', 's1']);
    await send(20, ...sensors);
    assert.deepEqual(got('child'), ['resolved', 'resolved']);
  });

  it('is held if it fires first, within `wait`', async () => {
    for (const [wait, lateS, isHeld] of [
      [0, 1, true],
      [0, 5, false],
      [60, 50, true],
      [60, 65, false],
    ] as const) {
      const { gateway, sensors } = await build({ dependsOn: { wait } });
      await send(31, ...sensors);
      await pass(lateS - 1);
      await send(31, gateway);
      await pass(120);
      assert.deepEqual(got('child'), isHeld ? [] : ['s0'], `${wait} ${lateS}`);
      await send(20, gateway);
      assert.deepEqual(got('child'), isHeld ? ['s0'] : [], `${wait} ${lateS}`);
    }
  });

  it('lets out each that still fires exactly once, several in one message', async () => {
    const { gateway, sensors } = await build({ sensors: 5 });
    await send(31, gateway, ...sensors);
    await pass(600);
    await send(20, sensors[2] ?? '');
    assert.deepEqual(got('child'), []);
    await send(20, gateway);
    const [text = '', ...others] = got('child');
    assert.deepEqual(others, []);
    const [heading, ...lines] = text.split('\n');
    assert.equal(heading, '4 alerts that still fire:');
    assert.deepEqual(
      lines.map((line) => line.slice(0, 12)).sort(),
      [0, 1, 3, 4].map((n) => `- warm on s${n}`),
    );
    await pass(3_600);
    assert.deepEqual([got('child'), await waiting()], [[], 0]);
    await send(20, ...sensors);
    assert.deepEqual(got('child'), Array(4).fill('resolved'));
  });

  it('says what holds it: in firings, in decisions, and in what the trigger and the delivery wait for', async () => {
    const { gateway, sensors, parentId, childId } = await build();
    const [sensor = ''] = sensors;
    await send(31, gateway);
    const since = clock.now() / 1000;
    const parent = await firingOf(gateway);
    await send(31, sensor);
    const heldBy = {
      firing_id: parent.id,
      trigger_id: parentId,
      trigger_name: 'gateway offline',
      sensor_id: gateway,
      since,
    };
    assert.deepEqual((await firingOf(sensor)).held_by, heldBy, 'before the delivery was looked at');
    await pass(2);
    assert.deepEqual((await firingOf(sensor)).held_by, heldBy);
    assert.equal(parent.held_by, null);
    const { decisions } = (await user.api.get(`/sensors/${sensor}/triggers/${childId}/decisions`)).body;
    assert.deepEqual(decisions[0].held_by, heldBy);
    const { trigger } = (await user.api.get(`/sensors/${sensor}/triggers/${childId}`)).body;
    assert.equal(trigger.next.what, 'parent');
    const { deliveries } = (await user.api.get('/deliveries?status=pending')).body;
    assert.deepEqual(deliveries[0].waiting, { reason: 'held by gateway offline', until: null, count: 1 });
    await send(20, gateway);
    assert.deepEqual((await firingOf(sensor)).held_by, heldBy, 'history');
  });

  it('is held by its own sensor, or by one whose label has the same first value, and by no other', async () => {
    const { gateway, sensors, parentId, childId } = await build({ sensors: 2 });
    const [a = '', b = ''] = sensors;
    await label(gateway, 'North', '8');
    await label(a, 'NORTH', '7');
    await label(b, '8');
    await send(31, gateway, a, b);
    await pass(2);
    assert.deepEqual(got('child'), ['s1']);
    await send(20, gateway, a, b);
    await pass(120);
    got('child');
    await put(childId, { depends_on: { trigger_id: parentId, sensor: 'same' } });
    await connectTrigger(user, b, parentId);
    await send(31, b, a, gateway);
    await pass(2);
    assert.deepEqual(got('child'), ['s0']);
    await label(a);
    await label(b);
    await pass(120);
    assert.deepEqual(got('child'), []);
  });

  it('is not held by a trigger that is muted, inactive, disconnected, or without the label', async () => {
    const acts: ((parent: { gateway: string; parentId: string }) => Promise<unknown>)[] = [
      ({ gateway, parentId }) =>
        user.api.put(`/sensors/${gateway}/triggers/${parentId}`, {
          trigger: { muted_until: clock.now() / 1000 + 9_999 },
        }),
      ({ parentId }) =>
        buildMute(user, { start: clock.now() / 1000, end: clock.now() / 1000 + 9_999, triggers: [parentId] }),
      ({ gateway, parentId }) =>
        user.api.put(`/sensors/${gateway}/triggers/${parentId}`, { trigger: { active: false } }),
      ({ gateway, parentId }) => user.api.delete(`/sensors/${gateway}/triggers/${parentId}`),
      ({ parentId }) => user.api.delete(`/triggers/${parentId}`),
      ({ gateway }) => label(gateway, '9'),
      ({ gateway }) => user.api.delete(`/sensors/${gateway}`),
    ];
    for (const [index, act] of acts.entries()) {
      const before = await build();
      await act(before);
      await send(31, before.gateway).catch(() => undefined); // it may be deleted
      await send(31, ...before.sensors);
      await pass(2);
      assert.deepEqual(got('child'), ['s0'], `before, ${index}`);
      const held = await build();
      await send(31, held.gateway, ...held.sensors);
      await pass(10);
      assert.deepEqual(got('child'), [], `${index}`);
      await act(held);
      await pass(61);
      assert.deepEqual(got('child'), ['s0'], `meanwhile, ${index}`);
      await pass(600);
      assert.deepEqual(got('child'), [], `${index}`);
    }
  });

  it('is delivered at once when its dependency is removed, and held when it gets one', async () => {
    const { gateway, sensors, parentId, childId } = await build({ child: { repeat: 60 } });
    await send(31, gateway, ...sensors);
    await pass(10);
    await put(childId, { depends_on: null });
    await pass(0);
    assert.deepEqual(got('child'), ['s0']);
    await put(childId, { depends_on: { trigger_id: parentId, sensor: { label: 'gateway' } } });
    await pass(70);
    await send(32, ...sensors);
    await pass(10);
    assert.deepEqual(got('child'), []);
    await send(20, ...sensors);
    assert.deepEqual([got('child'), await waiting()], [['resolved'], 0]);
  });

  it('gets no end if it was held to the end, even if its dependency was removed meanwhile', async () => {
    const { gateway, sensors, childId } = await build({ sensors: 2 });
    const [a = '', b = ''] = sensors;
    await send(31, gateway, a, b);
    await pass(10);
    const { id } = await firingOf(b);
    assert.equal((await user.api.post(`/firings/${id}/acknowledge`)).status, 200);
    clock.advance(1_000);
    await platform.container.heartbeat.beat();
    await put(childId, { depends_on: null });
    await send(20, b);
    assert.deepEqual(got('child'), ['s0']);
    await send(20, a);
    assert.deepEqual(got('child'), ['resolved']);
  });

  it('repeats as usual, except while it is held: then once for all', async () => {
    const { gateway, sensors } = await build({ child: { repeat: 60 } });
    const [sensor = ''] = sensors;
    await send(31, sensor);
    await pass(2);
    await pass(60);
    await send(32, sensor);
    assert.deepEqual(got('child'), ['s0', 's0']);
    await send(31, gateway);
    for (let count = 0; count < 3; count += 1) {
      await pass(60);
      await send(33, sensor);
    }
    assert.deepEqual([got('child'), await waiting()], [[], 1]);
    await send(20, gateway);
    assert.deepEqual(got('child'), ['s0']);
    await pass(60);
    await send(34, sensor);
    assert.deepEqual(got('child'), ['s0']);
    await send(31, gateway);
    await pass(60);
    await send(35, sensor);
    await send(20, sensor);
    assert.deepEqual([got('child'), await waiting()], [['resolved'], 0]);
  });

  it('adds nothing to a firing that is held while it repeats', async () => {
    const { gateway, sensors } = await build({ child: { repeat: 60 } });
    await send(31, gateway, ...sensors);
    for (let count = 0; count < 3; count += 1) {
      await pass(60);
      await send(33, ...sensors);
    }
    assert.deepEqual([got('child'), await waiting()], [[], 1]);
    await send(20, gateway);
    assert.deepEqual(got('child'), ['s0']);
    await pass(10);
    assert.deepEqual(got('child'), []);
  });

  it('waits for `after` as well, and an acknowledgement ends both', async () => {
    const { gateway, sensors, childId } = await build();
    const [sensor = ''] = sensors;
    await notify([sensor], childId, 'late', 300);
    await send(31, gateway, sensor);
    await pass(100);
    await send(20, gateway);
    assert.deepEqual([got('child'), got('late')], [['s0'], []]);
    await pass(200);
    assert.deepEqual(got('late'), ['s0']);
    await send(20, sensor);
    await pass(120);
    got('child');
    got('late');
    await send(31, gateway, sensor);
    await pass(400);
    assert.deepEqual([got('child'), got('late')], [[], []]);
    const { id } = await firingOf(sensor);
    assert.equal((await user.api.post(`/firings/${id}/acknowledge`)).status, 200);
    await send(20, gateway);
    await send(20, sensor);
    await pass(400);
    assert.deepEqual([got('child'), got('late'), await waiting()], [[], [], 0]);
  });

  it('keeps what a mute delivers at its end', async () => {
    const { gateway, sensors } = await build();
    const now = clock.now() / 1000;
    const then = Object.fromEntries([['then', 'deliver']]);
    await buildMute(user, { start: now, end: now + 300, sensors, ...then });
    await send(31, gateway, ...sensors);
    await pass(400);
    assert.deepEqual(got('child'), []);
    await send(20, gateway);
    assert.deepEqual(got('child'), ['s0']);
  });

  it('reports no critical alert as late while it is held', async () => {
    const { gateway, sensors } = await build({ child: { severity: 'critical' } });
    await send(31, gateway, ...sensors);
    for (let minute = 0; minute < 15; minute += 1) await pass(61);
    const failing = await platform.query("SELECT id FROM deliveries WHERE owner_id = ? AND kind = 'notice'", [user.id]);
    assert.deepEqual([failing, got('child')], [[], []]);
  });
});
