import { api, ask, type Records, sentence } from '../../api';
import { formatList } from '../../format';
import { many, t } from '../../language';
import { Problem } from '../../ui/page';
import { useResource } from '../../use-resource';
import { useSensorNames } from '../names';
import { loadTrigger } from './load';
import { type Follows, selectorOf } from './selector';

type Edited = Follows<Records['SensorProperty']>;

const SETTLE_MS = 350;
const NAMED = 3;
const LOOK_MS = 3_000;

/** How many sensors the edited conditions match at present, and the names of the first of them. */
export function MatchedSensors({ follows }: { follows: Edited }) {
  const selector = selectorOf(follows);
  const nameOf = useSensorNames();
  const matched = useResource(`matched ${JSON.stringify(selector)}`, async (signal) => {
    if (!selector) return undefined;
    await settle(signal);
    const { filter, namespace } = selector;
    const query = { namespace, details: 'full' as const, per_page: NAMED, total: true };
    const found = await ask(api.post('/sensors/find', { params: { query }, body: { filter }, signal }));
    const sensors = found.sensors.map(({ id, name = '', display_name = '' }) => ({ id, name, display_name }));
    return { sensors, total: found.total ?? sensors.length };
  });
  if (!selector) return null;
  if (matched.error !== undefined) return <Problem error={matched.error} retry={matched.reload} />;
  return (
    <p class="message small breakable" role="status">
      {matched.data ? textOf({ names: matched.data.sensors.map(nameOf), total: matched.data.total }) : t('Counting …')}{' '}
      {t('A new sensor that matches is connected within seconds; one that no longer matches is disconnected.')}
    </p>
  );
}

function textOf({ names, total }: { names: readonly string[]; total: number }): string {
  if (total === 0) return t('Matches none of your sensors at present.');
  const others = total > names.length ? [t('{n} more', { n: total - names.length })] : [];
  const list = formatList([...names, ...others]);
  return t('Matches {n} of your sensors at present: {list}.', { n: total, list });
}

/** How many sensors match the stored selector of a trigger, and why some of them are not connected. */
export function StoredSelector({ trigger }: { trigger: string }) {
  const found = useResource(
    `selector of ${trigger}`,
    (signal) => ask(api.get('/triggers/{id}', { params: { path: { id: trigger } }, signal })),
    { everyMs: LOOK_MS },
  );
  const { selected_sensors: count, selector_error: error } = found.data?.trigger ?? {};
  if (count === undefined || count === null) return null;
  return (
    <p class="small" role="status">
      <span class="quiet">{many(count, 'Saved: follows {n} sensor.', 'Saved: follows {n} sensors.')}</span>{' '}
      {error && <span class="problem">{sentence(error)}</span>}
    </p>
  );
}

/** What the removal of the stored selector of a trigger ends. */
export function RemovedSelector({ trigger }: { trigger: string }) {
  const found = useResource(`connections of ${trigger}`, (signal) => loadTrigger(trigger, signal));
  if (!found.data) return null;
  return (
    <p class="message warn small" role="status">
      {many(
        found.data.selected.length,
        'Saving disconnects {n} sensor and ends its open alerts.',
        'Saving disconnects {n} sensors and ends their open alerts.',
      )}{' '}
      {t('Sensors ticked under “Watches” stay.')}
    </p>
  );
}

/** Waits until the user has stopped typing. */
async function settle(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  signal.throwIfAborted();
}
