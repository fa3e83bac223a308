import type { Records } from '../../api';
import { formatShort } from '../../format';
import { many } from '../../language';

type Waiting = Records['WaitingView'];

/** How many deliveries wait, and until when if that is known. */
export function countOf({ count, until }: Waiting): string {
  if (until === null) return many(count, '{n} delivery waits', '{n} deliveries wait');
  const date = formatShort(until);
  return many(count, '{n} delivery waits until {date}', '{n} deliveries wait until {date}', { date });
}

/** Why deliveries wait, how many, and until when; nothing if none does. */
export function WaitingLine({ waiting }: { waiting: Waiting | null }) {
  if (waiting === null) return null;
  return (
    <div class="small breakable">
      {waiting.reason}
      <div class="quiet">{countOf(waiting)}</div>
    </div>
  );
}
