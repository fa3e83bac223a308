/** A notification of a trigger: on all its sensors, present and future, or on one of them. */
export interface Step {
  notification: string;
  /** Seconds from the beginning of an episode. */
  after: number;
  /** Undefined for all sensors. */
  sensor?: string | undefined;
}

/** The steps of one notification with the same delay; without `sensors` it is a step on all sensors. */
export interface StepGroup {
  notification: string;
  after: number;
  sensors?: readonly string[];
}

/** A notification, and the number of sensors whose alerts it no longer gets. */
export interface Loss {
  notification: string;
  sensors: number;
}

/** A notification that takes part in a backtest. */
export interface Recipient {
  id: string;
  after: number;
}

/** The API takes at most this many in a backtest. */
const MOST_RECIPIENTS = 20;

/** The notifications on a sensor; of two delays of one the shorter counts, as it does on the platform. */
export function recipientsOn(steps: readonly Step[], id: string): Recipient[] {
  const delays = new Map<string, number>();
  for (const { notification, after, sensor = id } of steps) {
    if (sensor === id) delays.set(notification, Math.min(after, delays.get(notification) ?? after));
  }
  return [...delays].map(([id, after]) => ({ id, after })).slice(0, MOST_RECIPIENTS);
}

/** The steps as a line: in the order of their delays, those on single sensors together. */
export function groupsOf(steps: readonly Step[]): StepGroup[] {
  const groups = new Map<string, StepGroup>();
  for (const { notification, after, sensor } of steps) {
    const key = `${notification} ${after} ${sensor === undefined}`;
    const known = groups.get(key)?.sensors ?? [];
    groups.set(key, { notification, after, ...(sensor !== undefined && { sensors: [...known, sensor] }) });
  }
  return [...groups.values()].sort((a, b) => a.after - b.after);
}

/** Adds a step or changes its delay. A step on all sensors replaces the steps of the notification on single sensors. */
export function withStep(steps: readonly Step[], step: Step): Step[] {
  const isReplaced = ({ notification, sensor }: Step) =>
    notification === step.notification && (step.sensor === undefined || sensor === step.sensor);
  return [...steps.filter((one) => !isReplaced(one)), step];
}

export function withoutGroup(steps: readonly Step[], group: StepGroup): Step[] {
  return steps.filter((step) => !isIn(step, group));
}

export function withDelay(steps: readonly Step[], group: StepGroup, after: number): Step[] {
  return steps.map((step) => (isIn(step, group) ? { ...step, after } : step));
}

function isIn({ notification, after, sensor }: Step, group: StepGroup): boolean {
  const isAll = sensor === undefined;
  return notification === group.notification && after === group.after && isAll === (group.sensors === undefined);
}

/**
 * The same steps, where a notification with one delay on every one of the sensors is a step on all sensors. Of it and a
 * step on all sensors that is there already, the shorter delay counts, as it does on the platform.
 */
export function joined(steps: readonly Step[], sensors: readonly string[]): Step[] {
  const isEverywhere = (group: StepGroup) =>
    group.sensors !== undefined && sensors.length > 0 && sensors.every((id) => group.sensors?.includes(id));
  return groupsOf(steps)
    .filter(isEverywhere)
    .reduce<Step[]>(
      (all, { notification, after }) => {
        const shortest = Math.min(after, delayOnAll(all, notification) ?? after);
        return withStep(all, { notification, after: shortest });
      },
      [...steps],
    );
}

/** The delay of a notification on all sensors; undefined if it has none. */
export function delayOnAll(steps: readonly Step[], notification: string): number | undefined {
  return steps.find((step) => step.notification === notification && step.sensor === undefined)?.after;
}

/** The steps to connect, which are new or have another delay, and the steps to disconnect. */
export function changesOf(before: readonly Step[], after: readonly Step[]): { connect: Step[]; disconnect: Step[] } {
  const delays = new Map(before.map((step) => [keyOf(step), step.after]));
  const wanted = new Set(after.map(keyOf));
  return {
    connect: after.filter((step) => delays.get(keyOf(step)) !== step.after),
    disconnect: before.filter((step) => !wanted.has(keyOf(step))),
  };
}

/** The notifications that a change of steps disconnects from sensors. `sensors` are the sensors of the trigger. */
export function lossesOf(before: readonly Step[], after: readonly Step[], sensors: readonly string[]): Loss[] {
  const notifications = [...new Set(before.map(({ notification }) => notification))];
  return notifications.flatMap((notification) => {
    const [then, now] = [before, after].map((steps) => reachOf(steps, notification, sensors));
    const lost = [...(then?.sensors ?? [])].filter((id) => !now?.sensors.has(id)).length;
    return lost > 0 || (then?.isWhole && !now?.isWhole) ? [{ notification, sensors: lost }] : [];
  });
}

function reachOf(steps: readonly Step[], notification: string, sensors: readonly string[]) {
  const own = steps.filter((step) => step.notification === notification);
  const isWhole = own.some(({ sensor }) => sensor === undefined);
  const single = own.flatMap(({ sensor }) => (sensor !== undefined && sensors.includes(sensor) ? [sensor] : []));
  return { isWhole, sensors: new Set(isWhole ? sensors : single) };
}

function keyOf({ notification, sensor = '' }: Step): string {
  return `${notification} ${sensor}`;
}
