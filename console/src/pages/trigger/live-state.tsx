import { api, ask } from '../../api';
import { t } from '../../language';
import { useResource } from '../../use-resource';
import { StateOf } from '../sensor/triggers';

/** The state of a saved trigger on a sensor, and what it waits for. */
export function LiveState({ trigger, sensor }: { trigger: string; sensor: string }) {
  const state = useResource(
    `state of ${trigger} on ${sensor}`,
    (signal) =>
      ask(
        api.get('/sensors/{id}/triggers/{trigger_id}', {
          params: { path: { id: sensor, trigger_id: trigger } },
          signal,
        }),
      ),
    { everyMs: 10_000 },
  );
  if (!state.data) return null;
  return (
    <div class="line">
      <span class="small quiet">{t('Now')}</span>
      <StateOf trigger={state.data.trigger} />
    </div>
  );
}
