import assert from 'node:assert/strict';
import { planOf } from '../../../../client/src/cli/plan-lines';
import { planLines } from '../../../../src/alerts/rule-sets/plan-lines';
import type { TriggerEffect } from '../../../../src/alerts/rule-sets/rule-effect';
import { toPlanView } from '../../../../src/alerts/rule-sets/rule-set.view';
import type { PlanListener, RulePlan } from '../../../../src/alerts/rule-sets/rule-sets.service';

const effectOf = (name: string): TriggerEffect => ({
  ...{ name, before: null, vanish: [], appear: [], open: [], sensors: [1, 1], untilMs: 1_000, note: '' },
  after: { episodes: 3, firings: 4, deliveries: 5, atNight: 1, medianDurationMs: null, byNotification: new Map() },
});
const effects = ['second', 'first'].map(effectOf);
const changeOf = (name: string): RulePlan['changes'][number] => ({
  ...{ kind: 'trigger', name, action: 'update', id: 5, isAdopted: false, fields: { hold: [0, 300] }, drift: [] },
});
const plan: RulePlan = {
  ...{ digest: 'd1', changes: ['first', 'second'].map(changeOf), tests: [] },
  effect: [...effects].reverse(),
};
const make = async ({ onChanges, onEffect, onProgress }: PlanListener): Promise<RulePlan> => {
  onChanges?.(plan);
  await new Promise((resolve) => setTimeout(resolve, 600));
  onProgress?.(0.254);
  onProgress?.(0.3);
  await Promise.resolve();
  for (const effect of effects) onEffect?.(effect);
  return plan;
};
const read = async (lines: AsyncIterable<string[]>) => {
  const all: string[] = [];
  for await (const some of lines) all.push(...some);
  return all;
};

describe('the lines of a plan', () => {
  it('come as soon as they are known: changes, progress, effects and the sum', async () => {
    let isMade = false;
    const lines = planLines((listener) => make(listener).finally(() => (isMade = true)));
    const first = await lines.next();
    assert.equal(isMade, false, 'the changes do not wait for effects');
    const { changes, tests, effect } = toPlanView(plan);
    assert.deepEqual(JSON.parse(first.value?.[0] ?? ''), { changes, tests });
    const rest = (await read(lines)).map((line) => JSON.parse(line));
    const [one, two] = effect.triggers;
    const sums = { episodes: [0, 6], deliveries: [0, 10], at_night: [0, 2] };
    assert.deepEqual(rest, [{ progress: 0.25 }, { effect: two }, { effect: one }, { digest: 'd1', ...sums }]);
  });

  it('make the same plan on the command line, which shows how far it is', async () => {
    const text = (await read(planLines(make))).join('');
    let shown = '';
    const made = await planOf(new Response(text), (part) => (shown += part));
    assert.deepEqual(made, toPlanView(plan));
    assert.match(shown, /25 %[^%]*$/);
    const cut = text.slice(0, text.lastIndexOf('{"digest'));
    await assert.rejects(
      planOf(new Response(cut), () => {}),
      /the plan ended before it was complete/,
    );
  });

  it('fail before the first one, or end without the last one', async () => {
    await assert.rejects(read(planLines(() => Promise.reject(new Error('too many')))), /too many/);
    const failing = planLines(async ({ onChanges }) => {
      onChanges?.(plan);
      throw new Error('a bug');
    });
    assert.equal((await failing.next()).done, false);
    await assert.rejects(failing.next(), /a bug/);
  });
});
