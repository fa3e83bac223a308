import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Alarm } from '../../support/alarm';
import { useClockedAlerts } from '../../support/clocked-alerts';
import { type Fields, upload } from '../../support/factories';

describe('an edit that keeps episodes', () => {
  const { clock, platform, receiver, user, alert, pass, send, sendAll, texts, firings, record } = useClockedAlerts();

  const edit = async ({ triggerId }: Alarm, trigger: Fields, episodes?: string) => {
    const { status, body } = await user.api.put(`/triggers/${triggerId}`, { trigger, episodes });
    assert.equal(status, 200, JSON.stringify(body));
    await platform.settle();
    return [body.kept, body.ended];
  };

  it('leaves them open under their ids, and the next point decides by the new rule', async () => {
    const one = await alert();
    await send(one, [31]);
    assert.deepEqual(await edit(one, { expression: 'sensor_data_value > 20', hold: 300 }, 'keep'), [1, 0]);
    await send(one, [25, 26], 70);
    const [first, second] = await firings(one);
    assert.deepEqual([first.state, second.episode, second.trigger_version], ['firing', first.id, 2]);
    await send(one, [19]);
    assert.deepEqual(texts(), ['31 degrees', '25 degrees', '26 degrees', 'warm on cellar: resolved (resolved)']);
    const [ended] = await firings(one);
    assert.deepEqual([ended.resolved_by, ended.trigger_version], ['data', 1]);
  });

  it('is not the default, which ends them', async () => {
    const one = await alert();
    await send(one, [31]);
    assert.deepEqual(await edit(one, { expression: 'sensor_data_value > 20' }), [0, 1]);
    assert.deepEqual(texts(), ['31 degrees', 'warm on cellar: resolved (resolved)']);
    assert.equal((await firings(one))[0].resolved_by, 'edit');
    assert.deepEqual(await edit(one, { expression: 'sensor_data_value > 21' }, 'end'), [0, 0]);
  });

  it('ends those of a part that the rule no longer has', async () => {
    const one = await alert({ inactivity: 60 });
    await send(one, [31]);
    await pass(61);
    assert.equal((await firings(one)).length, 2);
    assert.deepEqual(await edit(one, { inactivity: 0 }, 'keep'), [1, 1]);
    assert.deepEqual(await edit(one, { expression: null, inactivity: 3600 }, 'keep'), [0, 1]);
    assert.deepEqual(texts().slice(-2), Array(2).fill('warm on cellar: resolved (resolved)'));
  });

  it('starts what is pending and the wait for an end again', async () => {
    const held = await alert({ hold: 60 });
    await send(held, [31]);
    assert.equal((await record(held)).state, 'pending');
    await edit(held, { hold: 30 }, 'keep');
    assert.equal((await record(held)).state, 'ok');
    await pass(40);
    assert.deepEqual(texts(), []);
    await send(held, [32]);
    await pass(30);
    assert.deepEqual(texts(), ['32 degrees']);

    const kept = await alert({ keep_firing_for: 60 });
    await send(kept, [31, 29]);
    await edit(kept, { expression: 'sensor_data_value > 28' }, 'keep');
    await pass(100);
    assert.equal((await record(kept)).state, 'firing');
    await send(kept, [27]);
    await pass(61);
    assert.equal((await record(kept)).state, 'ok');
  });

  it('keeps an inactivity, which repeats by the new rule and ends with data', async () => {
    const one = await alert({ expression: undefined, inactivity: 60, repeat: 0 });
    await pass(61);
    assert.deepEqual(await edit(one, { inactivity: 3600, repeat: 90 }, 'keep'), [1, 0]);
    await pass(88);
    assert.equal(texts().length, 1);
    await pass(2);
    assert.equal(texts().length, 2);
    await send(one, [1], 1);
    assert.equal(texts()[2], 'warm on cellar: resolved (resolved)');
    assert.equal((await record(one)).state, 'ok');
  });

  it('refuses another word', async () => {
    const { triggerId } = await alert();
    const { status, body } = await user.api.put(`/triggers/${triggerId}`, { trigger: {}, episodes: 'stay' });
    assert.deepEqual([status, Object.keys(body.fields)], [400, ['episodes']]);
  });

  it('delivers nothing, and goes on like a trigger that had the new rule and the open episode', async function () {
    this.timeout(120_000);
    const rule = fc.record({
      expression: fc.constantFrom('sensor_data_value > 30', 'sensor_data_value > 20', 'sensor_data_value < 0'),
      resolve_expression: fc.constantFrom(null, 'sensor_data_value < 10'),
      hold: fc.constantFrom(0, 20),
      repeat: fc.constantFrom(null, 0, 60),
      keep_firing_for: fc.constantFrom(0, 30),
    });
    const values = fc.array(fc.constantFrom(-5, 5, 15, 25, 35), { minLength: 3, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(rule, values, async (changed, points) => {
        const [edited, twin] = [await alert({ hold: 0 }), await alert({ ...changed, name: 'warm' })];
        await send(edited, [31]);
        await upload(user, twin.sensorId, { value: 0.5, date: clock.now() / 1000 });
        await platform.settle();
        receiver.received.length = 0;
        await edit(edited, changed, 'keep');
        assert.deepEqual(texts(), [], 'the edit delivers');
        await copyEpisode(edited, twin);
        for (const value of points) {
          await sendAll([edited, twin], value, 15);
        }
        assert.deepEqual(texts(edited), texts(twin));
        assert.equal((await record(edited)).state, (await record(twin)).state);
      }),
      { numRuns: 12 },
    );
  });

  /** Gives the twin the state of the edited trigger and the firing of its open episode. */
  const copyEpisode = async (from: Alarm, to: Alarm) => {
    const [a, b] = [await idOf(from), await idOf(to)];
    await platform.query(
      `INSERT INTO firings (owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, fired_ms, variables, is_lasting)
       SELECT owner_id, ?, ?, ?, reason, fired_ms, variables, is_lasting FROM firings WHERE sensor_trigger_id = ?`,
      [Number(to.sensorId), Number(to.triggerId), b, a],
    );
    const columns = [
      ...['last_triggered_ms', 'times_triggered', 'last_data_value', 'last_date_ms', 'state_since_ms', 'episode_ms'],
      ...['episode_fired_ms', 'episode_announced', 'pending_since_ms', 'clear_since_ms', 'condition_due_ms'],
    ];
    const assignments = columns.map((column) => `b.${column} = a.${column}`).join();
    await platform.query(
      `UPDATE sensor_triggers b JOIN sensor_triggers a ON a.id = ? SET ${assignments} WHERE b.id = ?`,
      [a, b],
    );
    await platform.query('UPDATE partitions SET state_epoch = state_epoch + 1');
  };
  const idOf = async ({ sensorId, triggerId }: Alarm) => {
    const where = 'sensor_id = ? AND trigger_id = ?';
    const [row] = await platform.query(`SELECT id FROM sensor_triggers WHERE ${where}`, [sensorId, triggerId]);
    return Number(row?.id);
  };
});
