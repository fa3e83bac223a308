import { api, ask } from '../../api';
import { t } from '../../language';
import { formatNumber } from '../../quantity';
import { Action } from '../../ui/action';
import { say } from '../../ui/toast';
import { WARM } from '../sensors/sample';

const EVALUATED_MS = 600;

/** Sends a value for a sample sensor, like a device, so that its triggers can be tried. */
export function TrySample({ id, isWatched, onSent }: { id: string; isWatched: boolean; onSent: () => void }) {
  const send = async () => {
    const data = [{ date: Math.floor(Date.now()) / 1000, value: WARM }];
    await ask(api.post('/sensors/{id}/data', { params: { path: { id } }, body: { data } }));
    say(t('{value} was sent, as a device would.', { value: formatNumber(WARM) }));
    setTimeout(onSent, EVALUATED_MS);
  };
  return (
    <div class="message line spread">
      <span>
        {isWatched
          ? t('This is sample data. Send a hot value to see what the trigger does.')
          : t('This is sample data. Create a trigger, then send a hot value to see what it does.')}
      </span>
      <Action kind="small-button" act={send}>
        {t('Send {value}', { value: formatNumber(WARM) })}
      </Action>
    </div>
  );
}
