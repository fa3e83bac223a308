import { api, ask, type Records } from '../../api';
import { formatAge } from '../../format';
import { t } from '../../language';
import { href } from '../../router';
import { NoData } from '../../ui/no-data';
import { State } from '../../ui/state';
import { worstState } from '../../ui/states';
import { useResource } from '../../use-resource';
import { AlertActions } from '../alerts/actions';
import { AlertState } from '../alerts/alert-rows';
import { useHandled } from '../alerts/handled';
import { type Alert, useAlerts } from '../alerts/load';
import { triggerNameOf } from '../deliveries/summary';

interface StateProps {
  sensor: Records['OwnedSensorView'];
  /** As the page lists them: their states are newer than the state of the sensor. */
  triggers: readonly Records['SensorTriggerView'][];
}

/** The state of a sensor: what fires, since when and who knows of it, with the actions on it; otherwise a word. */
export function StateNow({ sensor: { id }, triggers }: StateProps) {
  const alerts = useAlerts({ state: 'firing', sensor: id });
  const open = alerts.data?.alerts ?? [];
  const isHandled = useHandled(open.map(({ latest }) => latest));
  const now = useResource(
    `state of ${id}`,
    async (signal) => (await ask(api.get('/sensors/{id}', { params: { path: { id } }, signal }))).sensor,
    { everyMs: 10_000 },
  );
  if (open.length > 0) {
    return (
      <ul class="rows" aria-label={t('Alerts')}>
        {open.map((alert) => (
          <OpenAlert key={alert.id} alert={alert} isHandled={isHandled(alert.latest)} />
        ))}
      </ul>
    );
  }
  const { state = 'none', state_since: since = null } = now.data ?? {};
  if (state === 'silent') return <NoData since={since ?? undefined} />;
  if (state !== 'ok' && state !== 'pending') return null;
  const active = triggers.filter((one) => one.active);
  // A firing that the list of alerts does not have any more, or not yet, is left to it.
  const states = active.map((one) => (one.last_error ? 'broken' : one.state)).filter((one) => one !== 'firing');
  return <State of={worstState(triggers.length > 0 ? states : [state]) ?? 'ok'} />;
}

function OpenAlert({ alert, isHandled }: { alert: Alert; isHandled: boolean | undefined }) {
  const { sensor_id, trigger_id } = alert.latest;
  const name = triggerNameOf(alert.latest);
  return (
    <li class="line spread">
      <div class="stack tight">
        <span class="tags">
          <a class="strong" href={href(`/sensors/${sensor_id}/triggers/${trigger_id}`)}>
            {name}
          </a>
          <span class="small quiet">{formatAge(alert.first.date)}</span>
        </span>
        <AlertState firing={alert.latest} />
      </div>
      {isHandled && <AlertActions alert={alert} name={name} onDone={() => undefined} />}
    </li>
  );
}
