/** A computation in steps of milliseconds: other work may run at each `yield`. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Charges the owner, and lets other work run between steps. */
export type Compute = <T>(steps: Steps<T>) => Promise<T>;

export function* inOneStep<T>(work: () => T): Steps<T> {
  yield;
  return work();
}

/** Runs all steps without a pause. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Charges steps, and knows when other work should run. */
export interface StepCharge {
  measure<T>(step: () => T): T;
  readonly isPauseDue: boolean;
  pause(): Promise<void>;
}

/** Runs all steps, with charged pauses between them. */
export async function finishCharged<T>(steps: Steps<T>, work: StepCharge): Promise<T> {
  for (;;) {
    const step = work.measure(() => steps.next());
    if (step.done) return step.value;
    if (work.isPauseDue) await work.pause();
  }
}
