import { formatDuration } from '../../format';

type What = 'hold' | 'minute' | 'keep_firing_for' | 'inactivity' | 'escalation' | 'repeat' | 'mute';

/** What the view of a trigger on a sensor says about the clock: seconds, and a date in unix seconds. */
interface Waiting {
  next: { what: What; at: number } | null;
  hold: number;
  keep_firing_for: number;
}

const STEPS: Readonly<Record<What, { act: string; unless: string }>> = {
  hold: { act: 'fires', unless: 'a value says otherwise' },
  minute: { act: 'fires', unless: 'a value says otherwise' },
  keep_firing_for: { act: 'ends', unless: 'a value says otherwise' },
  inactivity: { act: 'fires', unless: 'data comes' },
  escalation: { act: 'notifies the next destination', unless: 'it is acknowledged or ends' },
  repeat: { act: 'fires again', unless: 'data comes' },
  mute: { act: 'delivers the alert after the mute', unless: 'it is acknowledged or ends' },
};

/** What a trigger does next by the clock, and when; empty if it waits for data. */
export function nextStep(waiting: Waiting, nowMs = Date.now()): string {
  const { next } = waiting;
  if (!next) return '';
  const { act, unless } = STEPS[next.what];
  const left = Math.max(0, Math.ceil(next.at - nowMs / 1000));
  const total = totalOf(next.what, waiting);
  const part = total === 0 ? '' : `: ${formatDuration(Math.max(0, total - left))} of ${formatDuration(total)}`;
  return `${act} ${left === 0 ? 'at any moment' : `in ${formatDuration(left)}`} unless ${unless}${part}`;
}

/** The whole time in seconds, of which a part has passed; 0 if the trigger has no such setting. */
function totalOf(what: What, { hold, keep_firing_for: keepFiringFor }: Waiting): number {
  if (what === 'hold') return hold;
  return what === 'keep_firing_for' ? keepFiringFor : 0;
}
