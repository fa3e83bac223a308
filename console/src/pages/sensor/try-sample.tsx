import { api, ask } from '../../api';
import { formatNumber } from '../../format';
import { Action } from '../../ui/action';
import { say } from '../../ui/toast';
import { WARM } from '../sensors/sample';

const EVALUATED_MS = 600;

/** Sends a value for a sample sensor, like a device, so that its triggers can be tried. */
export function TrySample({ id, onSent }: { id: string; onSent: () => void }) {
  const send = async () => {
    const data = [{ date: Math.floor(Date.now()) / 1000, value: WARM }];
    await ask(api.post('/sensors/{id}/data', { params: { path: { id } }, body: { data } }));
    say(`${formatNumber(WARM)} was sent, as a device would.`);
    setTimeout(onSent, EVALUATED_MS);
  };
  return (
    <div class="message line spread">
      <span>This is sample data. Send a hot value, and see what the trigger makes of it.</span>
      <Action kind="small-button" act={send}>
        Send {formatNumber(WARM)}
      </Action>
    </div>
  );
}
