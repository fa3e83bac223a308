import { toEffectView, toKnownView, toPlanEnd } from './rule-set.view';
import type { PlanListener, RulePlan } from './rule-sets.service';

/** Between two lines of progress. */
const PROGRESS_MS = 500;

/**
 * A plan as lines of JSON, each as soon as it is known: changes and tests, effects of triggers with the progress between
 * them, and the sum with the digest.
 */
export async function* planLines(plan: (listener: PlanListener) => Promise<RulePlan>): AsyncGenerator<string[]> {
  const waiting: string[] = [];
  let wake = () => {};
  const add = (line: object) => {
    waiting.push(`${JSON.stringify(line)}\n`);
    wake();
  };
  let shownAt = performance.now();
  const onProgress = (progress: number) => {
    if (performance.now() - shownAt < PROGRESS_MS) return;
    shownAt = performance.now();
    add({ progress: Math.round(progress * 100) / 100 });
  };
  const onChanges: PlanListener['onChanges'] = (known) => add(toKnownView(known));
  const onEffect: PlanListener['onEffect'] = (effect) => add({ effect: toEffectView(effect) });
  let isOver = false;
  const end = () => {
    isOver = true;
    wake();
  };
  const made = plan({ onChanges, onEffect, onProgress }).then((all) => add(toPlanEnd(all)));
  made.then(end, end);
  while (!isOver || waiting.length > 0) {
    if (waiting.length > 0) yield waiting.splice(0);
    else await new Promise<void>((resolve) => (wake = resolve));
  }
  await made;
}
