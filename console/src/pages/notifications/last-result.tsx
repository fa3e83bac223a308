import type { Records } from '../../api';
import { formatAge, formatDate, formatDuration } from '../../format';
import { said, t } from '../../language';
import { href } from '../../router';
import { Status } from '../../ui/page';
import { WaitingLine } from '../deliveries/waiting';
import { UNCONFIRMED } from './load';

type Notification = Pick<Records['NotificationView'], 'last_delivery' | 'waiting' | 'confirmed'>;

const WORDS = {
  delivered: { kind: 'good', word: 'delivered' },
  failed: { kind: 'bad', word: 'failed' },
  failing: { kind: 'bad', word: 'failing' },
  pending: { kind: 'warn', word: 'waiting' },
} as const;

type Proof = Pick<Records['NotificationView'], 'probe' | 'last_proven'>;

/** How often a notification is probed, and when something last arrived there; nothing without probes. */
export function Proven({ notification: { probe, last_proven } }: { notification: Proof }) {
  if (probe === null) return null;
  const arrived =
    last_proven === null ? t('nothing has arrived yet') : t('last arrived {age}', { age: formatAge(last_proven) });
  return (
    <div class="small quiet">
      {t('Probe every {duration}, {arrived}', { duration: formatDuration(probe), arrived })}
    </div>
  );
}

/** The result of a notification's newest delivery, with its time, the error if it failed, and what waits. */
export function LastResult({ notification }: { notification: Notification }) {
  const { last_delivery: last, waiting, confirmed } = notification;
  if (!last) return <span class="small quiet">{t('no deliveries')}</span>;
  if (confirmed && !waiting && last.error === UNCONFIRMED) {
    return <span class="small quiet">{t('no deliveries since the address was confirmed')}</span>;
  }
  const code =
    last.status_code === null || last.error.includes(String(last.status_code)) ? '' : `${last.status_code}: `;
  const error = last.status === 'delivered' || !last.error ? '' : `${code}${said(last.error)}`;
  const { kind, word } = WORDS[last.status === 'pending' && error ? 'failing' : last.status];
  const date = last.date ?? last.created;
  return (
    <div>
      <Status kind={kind}>{t(word)}</Status>{' '}
      <a class="small nowrap" href={href(`/deliveries/${last.id}`)} title={formatDate(date)}>
        {formatAge(date)}
      </a>
      <WaitingLine waiting={waiting} />
      {error && !waiting && <div class="small breakable">{error}</div>}
      {error && last.next_attempt !== null && (
        <div class="small quiet">
          {t('next attempt {age}', { age: formatAge(Math.max(last.next_attempt, Date.now() / 1000)) })}
        </div>
      )}
    </div>
  );
}
