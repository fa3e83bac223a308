import { formatDuration } from '../../format';
import { type Text, t } from '../../language';

type What = 'hold' | 'minute' | 'keep_firing_for' | 'inactivity' | 'escalation' | 'repeat' | 'mute' | 'parent';

/** What the view of a trigger on a sensor says about the clock: seconds, and a date in unix seconds. */
interface Waiting {
  next: { what: What; at: number } | null;
  hold: number;
  keep_firing_for: number;
}

const STEPS = {
  hold: 'fires {when} unless a value says otherwise',
  minute: 'fires {when} unless a value says otherwise',
  keep_firing_for: 'ends {when} unless a value says otherwise',
  inactivity: 'fires {when} unless data comes',
  escalation: 'notifies the next destination {when} unless it is acknowledged or ends',
  repeat: 'fires again {when} unless data comes',
  parent: 'delivers the alert {when} unless another one holds it',
  mute: 'delivers the alert after the mute {when} unless it is acknowledged or ends',
} as const satisfies Readonly<Record<What, Text>>;

/** What a trigger does next by the clock, and when; empty if it waits for data. */
export function nextStep(waiting: Waiting, nowMs = Date.now()): string {
  const { next } = waiting;
  if (!next) return '';
  const left = Math.max(0, Math.ceil(next.at - nowMs / 1000));
  const total = totalOf(next.what, waiting);
  const when = left === 0 ? t('at any moment') : t('in {time}', { time: formatDuration(left) });
  const step = t(STEPS[next.what], { when });
  if (total === 0) return step;
  const [past, whole] = [formatDuration(Math.max(0, total - left)), formatDuration(total)];
  return `${step}: ${t('{past} of {whole}', { past, whole })}`;
}

/** The whole time in seconds, of which a part has passed; 0 if the trigger has no such setting. */
function totalOf(what: What, { hold, keep_firing_for: keepFiringFor }: Waiting): number {
  if (what === 'hold') return hold;
  return what === 'keep_firing_for' ? keepFiringFor : 0;
}
