import assert from 'node:assert/strict';
import { buildSensor, buildTrigger, create, type Fields } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

describe('what a trigger depends on', () => {
  const platform = usePlatform();
  const ada = useUser(platform);
  const eve = useUser(platform);

  const dependsOn = (id: string, more: Fields = {}) => ({ depends_on: { trigger_id: id, ...more } });
  const put = (id: string, trigger: Fields) => ada.api.put(`/triggers/${id}`, { trigger });
  const get = async (id: string) => (await ada.api.get(`/triggers/${id}`)).body.trigger;
  const chainOf = async (length: number): Promise<string[]> => {
    const ids = [await buildTrigger(ada, { name: 't0' })];
    while (ids.length < length) {
      ids.push(await buildTrigger(ada, { name: `t${ids.length}`, ...dependsOn(ids.at(-1) ?? '') }));
    }
    return ids;
  };

  it('is given, changed, sent back as it is, and removed', async () => {
    const parent = await buildTrigger(ada);
    const { trigger } = await create(ada, '/triggers', {
      trigger: { name: 'x', expression: '1', ...dependsOn(parent, { sensor: { label: 'gateway' }, wait: 60 }) },
    });
    assert.deepEqual(trigger.depends_on, { trigger_id: parent, sensor: { label: 'gateway' }, wait: 60 });
    assert.equal((await put(trigger.id, trigger)).body.trigger.version, 1);
    const { body } = await put(trigger.id, dependsOn(parent));
    assert.deepEqual(body.trigger.depends_on, { trigger_id: parent, sensor: 'same', wait: 0 });
    const { versions } = (await ada.api.get(`/triggers/${trigger.id}/versions`)).body;
    assert.deepEqual([versions[0].changed, versions[0].trigger.depends_on], [['depends_on'], body.trigger.depends_on]);
    assert.deepEqual((await put(trigger.id, { name: 'y' })).body.trigger.depends_on, body.trigger.depends_on);
    assert.equal((await put(trigger.id, { depends_on: null })).body.trigger.depends_on, null);
    assert.equal((await get(parent)).depends_on, null);
    const restored = await ada.api.post(`/triggers/${trigger.id}/versions/1/restore`);
    assert.deepEqual(restored.body.trigger.depends_on, trigger.depends_on);
  });

  it('is a trigger of the same user, a label and a wait that are possible', async () => {
    const [mine, parent] = [await buildTrigger(ada), await buildTrigger(ada)];
    const others = await buildTrigger(eve);
    for (const [given, status, field] of [
      [dependsOn(others), 404],
      [dependsOn('999999'), 404],
      [dependsOn('x'), 404],
      [dependsOn(parent, { wait: 601 }), 400, 'wait'],
      [dependsOn(parent, { wait: -1 }), 400, 'wait'],
      [dependsOn(parent, { wait: 1.5 }), 400, 'wait'],
      [dependsOn(parent, { sensor: 'other' }), 400, 'sensor'],
      [dependsOn(parent, { sensor: { label: 'x'.repeat(33) } }), 400, 'sensor'],
      [{ depends_on: {} }, 400, 'trigger_id'],
    ] as const) {
      const answers = [
        await put(mine, given),
        await ada.api.post('/triggers', { trigger: { name: 'x', expression: '1', ...given } }),
      ];
      for (const answer of answers) {
        assert.equal(answer.status, status, JSON.stringify([given, answer.body]));
        if (field) assert.match(JSON.stringify(answer.body.fields), new RegExp(`depends_on.*${field}`));
      }
    }
    assert.equal((await get(mine)).depends_on, null);
  });

  it('is no cycle, which the error names', async () => {
    const ids = await chainOf(3);
    for (const parent of ids) {
      const { status, body } = await put(ids[0] ?? '', dependsOn(parent, { sensor: { label: 'gateway' } }));
      assert.equal(status, 409, JSON.stringify(body));
      assert.match(body.error, /^the triggers would depend on each other in a cycle: t0 → .*t0$/);
    }
    const last = await put(ids[0] ?? '', dependsOn(ids[2] ?? ''));
    assert.equal(last.body.error, 'the triggers would depend on each other in a cycle: t0 → t2 → t1 → t0');
  });

  it('is at most five deep', async () => {
    const ids = await chainOf(6);
    const trigger = { name: 'x', expression: '1', ...dependsOn(ids.at(-1) ?? '') };
    const { status, body } = await ada.api.post('/triggers', { trigger });
    assert.deepEqual([status, body.error], [409, 'at most 5 triggers in a row may depend on each other']);
    const above = await buildTrigger(ada);
    assert.equal((await put(ids[0] ?? '', dependsOn(above))).status, 409);
  });

  it('is no cycle either when two edits come at once: one is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b, c] = [await buildTrigger(ada), await buildTrigger(ada), await buildTrigger(ada)];
      assert.equal((await put(b, dependsOn(c))).status, 200);
      const answers = await Promise.all([put(a, dependsOn(b)), put(c, dependsOn(a))]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    }
  });

  it('is named by the backtest and the shadow that leave it out', async () => {
    const parent = await buildTrigger(ada, { name: 'gateway offline' });
    const id = await buildTrigger(ada, { name: 'sensor offline', ...dependsOn(parent) });
    const scope = { sensor_ids: [await buildSensor(ada)] };
    const left = 'dependencies are left out, so what they would hold counts as delivered: ';
    const warnings = async (trigger: string) => [
      (await ada.api.post(`/triggers/${trigger}/backtest`, scope)).body.warning,
      (await ada.api.post(`/triggers/${trigger}/shadow`, { shadow: { hold: 60 } })).body.warning,
      (await ada.api.get(`/triggers/${trigger}/shadow`)).body.warning,
    ];
    assert.deepEqual(await warnings(id), Array(3).fill(`${left}"sensor offline" → "gateway offline"`));
    assert.deepEqual(await warnings(parent), Array(3).fill(undefined));
    const german = await ada.api.post(`/triggers/${id}/backtest`, scope, { 'Accept-Language': 'de' });
    assert.match(german.body.warning, /^(?!dependencies).*"sensor offline" → "gateway offline"$/);
    const rule = { expression: 'sensor_data_value > 3', ...dependsOn(parent) };
    const backtest = async (path: string, body: Fields) => (await ada.api.post(path, { ...scope, ...body })).body;
    const [named, unnamed] = [{ ...rule, name: 'draft' }, rule];
    const pair = (name: string) => `"${name}" → "gateway offline"`;
    assert.equal((await backtest('/triggers/backtest', { trigger: named })).warning, `${left}${pair('draft')}`);
    assert.equal((await backtest('/triggers/backtest', { trigger: unnamed })).warning, `${left}${pair('…')}`);
    const compared = async (trigger: string, compare: unknown) =>
      (await backtest(`/triggers/${trigger}/backtest`, { compare })).warning;
    assert.equal(await compared(parent, id), `${left}${pair('sensor offline')}`);
    assert.equal(await compared(parent, named), `${left}${pair('draft')}`);
    assert.equal(await compared(id, { expression: '1' }), `${left}${pair('sensor offline')}`);
    const foreign = dependsOn(await buildTrigger(eve));
    assert.equal((await backtest('/triggers/backtest', { trigger: { ...rule, ...foreign } })).code, 'not_found');
  });

  it('ends with the deletion of the other trigger, as a version that cannot be undone', async () => {
    const parent = await buildTrigger(ada);
    const id = await buildTrigger(ada, dependsOn(parent));
    assert.equal((await ada.api.delete(`/triggers/${parent}`)).status, 200);
    const { depends_on, version } = await get(id);
    assert.deepEqual([depends_on, version], [null, 2]);
    const { status, body } = await ada.api.post(`/triggers/${id}/versions/1/restore`);
    assert.deepEqual([status, body.error], [409, 'the trigger that this version depends on was deleted']);
    assert.equal((await ada.api.post(`/triggers/${id}/versions/2/restore`)).status, 200);
  });

  it('is never a trigger that is deleted at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [parent, id] = [await buildTrigger(ada), await buildTrigger(ada)];
      const [edited, deleted] = await Promise.all([put(id, dependsOn(parent)), ada.api.delete(`/triggers/${parent}`)]);
      assert.equal(deleted.status, 200);
      assert.ok([200, 404].includes(edited.status), JSON.stringify(edited.body));
      assert.equal((await get(id)).depends_on, null);
    }
  });
});

describe('a rule set whose triggers depend on each other', () => {
  const platform = usePlatform();
  const ada = useUser(platform);

  const post = (path: string, text: string) =>
    ada.api.post(`/rules/${path}`, text, { 'Content-Type': 'application/yaml' });
  const planned = async (text: string) => (await post('plan?days=0', text)).body;
  const apply = async (text: string) => {
    const { plan, error } = await planned(text);
    assert.ok(plan, error);
    const { status, body } = await post(`apply?digest=${plan.digest}`, text);
    assert.equal(status, 200, JSON.stringify(body));
    return plan;
  };
  const dependencies = async () => {
    const { triggers } = (await ada.api.get('/triggers')).body;
    const names = new Map(triggers.map(({ id, name }: Fields) => [id, name]));
    return Object.fromEntries(
      triggers.map(({ name, depends_on }: { name: string; depends_on: Fields | null }) => [
        name,
        depends_on && names.get(depends_on.trigger_id),
      ]),
    );
  };
  const setOf = (parents: Record<string, string | undefined>) =>
    ['set: plant', 'triggers:']
      .concat(
        Object.entries(parents).map(([name, parent]) => {
          const dependency = parent ? `, depends_on: {trigger: ${parent}, sensor: {label: gateway}, wait: 30}` : '';
          return ` - {name: ${name}, expression: "1"${dependency}}`;
        }),
      )
      .join('\n');

  it('names them, in any order, and exports what it was made of', async () => {
    await buildTrigger(ada, { name: 'z' });
    const text = setOf({ a: 'b', b: 'c', c: 'z' });
    const { changes } = await apply(text);
    assert.deepEqual(changes[0].fields.depends_on, [null, { trigger: 'b', sensor: { label: 'gateway' }, wait: 30 }]);
    assert.deepEqual(await dependencies(), { a: 'b', b: 'c', c: 'z', z: null });
    const { triggers } = (await ada.api.get('/triggers')).body;
    assert.deepEqual(
      triggers.map(({ version }: Fields) => version),
      [1, 1, 1, 1],
    );
    const exported = (await ada.api.get('/rules/plant')).body;
    assert.match(exported, /depends_on:\n\s+trigger: b\n\s+sensor:\n\s+label: gateway\n\s+wait: 30/);
    for (const same of [text, exported]) {
      const actions = (await planned(same)).plan.changes.map(({ action }: Fields) => action);
      assert.deepEqual(actions, ['none', 'none', 'none']);
    }
    await apply(setOf({ a: undefined, b: 'a', c: 'b' }));
    assert.deepEqual(await dependencies(), { a: null, b: 'a', c: 'b', z: null });
  });

  it('names in tests and plans the dependencies that they leave out', async () => {
    const text = setOf({ p: undefined, q: 'p' });
    const withTest = (trigger: string) =>
      `${text}\ntests: [{ name: t, trigger: ${trigger}, points: [{ at: 0, value: 1 }], expect: [{ at: 0, fires: true }] }]`;
    const warning = 'dependencies are left out, so what they would hold counts as delivered: "q" → "p"';
    const tested = async (trigger: string) => (await post('test', withTest(trigger))).body;
    assert.equal((await tested('q')).tests.length, 1);
    assert.deepEqual([(await tested('q')).warning, (await tested('p')).warning], [warning, undefined]);
    assert.equal((await planned(withTest('q'))).plan.warning, warning);
    assert.equal((await planned(withTest('p'))).plan.warning, undefined);
    assert.equal((await post('plan', text)).body.plan.warning, warning, 'q would be created');
  });

  it('is refused with a cycle, with too many in a row, and with an unknown name', async () => {
    for (const [parents, error] of [
      [
        { d: 'e', e: 'd' },
        /^line 4, column \d+: triggers\[1\]\.depends_on makes triggers depend on each other in a cycle: e → d → e$/,
      ],
      [{ d: 'd' }, /cycle: d → d$/],
      [
        { d: 'e', e: 'f', f: 'g', g: 'h', h: 'i', i: 'j', j: undefined },
        /makes more than 5 triggers in a row depend on each other$/,
      ],
      [{ d: 'nobody' }, /triggers\[0\]\.depends_on\.trigger names a trigger that you do not have$/],
    ] as const) {
      assert.match((await planned(setOf(parents))).error, error);
    }
  });
});
