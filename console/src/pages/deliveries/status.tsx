import { api, ask, type Records } from '../../api';
import { formatAge, formatDate } from '../../format';
import { said, t } from '../../language';
import { Action } from '../../ui/action';
import { Status } from '../../ui/page';
import { State } from '../../ui/state';
import { WaitingLine } from './waiting';

type Delivery = Records['DeliveryView'];

const KINDS = { delivered: 'good', failed: 'bad' } as const;

export function DeliveryStatus({ delivery: { status } }: { delivery: Delivery }) {
  return status === 'pending' ? <State of={status} /> : <Status kind={KINDS[status]}>{t(status)}</Status>;
}

/** Why a delivery waits, or the error of its latest attempt, and when the next one is. */
export function DeliveryProblem({ delivery: { status, attempts, next_attempt, waiting } }: { delivery: Delivery }) {
  const error = status === 'delivered' || waiting ? '' : attempts.at(-1)?.error;
  return (
    <div>
      <WaitingLine waiting={waiting} />
      {error && <div class="small quiet breakable">{said(error)}</div>}
      {next_attempt !== null && !waiting?.until && next_attempt * 1000 > Date.now() && (
        <div class="small quiet" title={formatDate(next_attempt)}>
          {t('next attempt {age}', { age: formatAge(next_attempt) })}
        </div>
      )}
    </div>
  );
}

/** A button that sends an ended delivery again. */
export function Redeliver({ delivery: { id, status }, onDone }: { delivery: Delivery; onDone: () => void }) {
  if (status !== 'failed') return null;
  return (
    <Action
      kind="small-button"
      label={t('Send delivery {id} again', { id })}
      done={t('It is on its way again.')}
      act={async () => {
        await ask(api.post('/deliveries/{id}/redeliver', { params: { path: { id } } }));
        onDone();
      }}
    >
      {t('Send again')}
    </Action>
  );
}
