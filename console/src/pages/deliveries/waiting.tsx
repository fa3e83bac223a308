import type { Records } from '../../api';
import { formatDate } from '../../format';
import { many, said, type Text } from '../../language';

type Waiting = Records['WaitingView'];

/** The reasons of the platform. */
const REASONS: readonly Text[] = [
  'the hourly limit of {limit} mails to {address} is reached',
  'the hourly limit of {limit} mails of your account is reached',
  'the limit of {limit} digests a minute to {address} is reached',
  'the limit of {limit} digests a minute of your account is reached',
  'more than {limit} alerts came within a minute: the others go out as one message at its end',
  'the receiver {receiver} asks for fewer requests (429)',
  'as many deliveries as may go to {receiver} at once are under way',
  'the operator has paused {receiver}',
  'attempt {attempt} failed: {error}',
  'an earlier delivery of the same alert waits',
  'your deliveries have used up their share of computing time',
  'no worker has attempted it yet',
  'no worker runs: data is stored, but nothing is evaluated and nothing is sent',
  'Redis does not answer: data is stored, but nothing is evaluated and nothing is sent',
];

/** Why deliveries wait, in the language of the user. */
export function reasonOf({ reason }: Pick<Waiting, 'reason'>): string {
  for (const text of REASONS) {
    const [, ...values] = patternOf(text).exec(reason) ?? [];
    if (values.length === 0) continue;
    const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    return said(text).replace(/\{(\w+)\}/g, (whole, name: string) => values[names.indexOf(name)] ?? whole);
  }
  return said(reason);
}

function patternOf(text: string): RegExp {
  const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.+)')}$`, 's');
}

/** How many deliveries wait, and until when if that is known. */
export function countOf({ count, until }: Waiting): string {
  if (until === null) return many(count, '{n} delivery waits', '{n} deliveries wait');
  const date = formatDate(until);
  return many(count, '{n} delivery waits until {date}', '{n} deliveries wait until {date}', { date });
}

/** Why deliveries wait, how many, and until when; nothing if none does. */
export function WaitingLine({ waiting }: { waiting: Waiting | null }) {
  if (waiting === null) return null;
  return (
    <div class="small breakable">
      {reasonOf(waiting)}
      <div class="quiet">{countOf(waiting)}</div>
    </div>
  );
}
