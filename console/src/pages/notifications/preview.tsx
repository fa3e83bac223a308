import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { formatShort } from '../../format';
import { type PlainText, t } from '../../language';
import { useAction } from '../../ui/action';
import { Choices, Refusal, Select } from '../../ui/form';
import { useResource } from '../../use-resource';
import { sensorOf, triggerOf } from '../deliveries/summary';
import { useNames } from '../names';
import type { NewNotification } from './draft';

type Shown = Records['PreviewView'];
type State = Shown['states'][number];

const TITLES: Readonly<Record<State, PlainText>> = {
  firing: 'Alert',
  resolved: 'End',
  acknowledged: 'Acknowledgement',
};
const FIRINGS = 10;
const LATEST = '';

/** What would be sent for a real firing, on request. `make` throws if the form cannot be sent. */
export function Preview({
  id,
  make,
  onError,
}: {
  id: string | undefined;
  make: () => NewNotification;
  /** Gets the error of a field; returns what concerns none. */
  onError: (error: unknown) => unknown;
}) {
  const [firing, setFiring] = useState(LATEST);
  const [shown, setShown] = useState<{ preview: Shown; state: State }>();
  const [problem, setProblem] = useState<unknown>();
  const { busy, run } = useAction();
  const show = (state: State, firingId: string) =>
    run(async () => {
      try {
        setProblem(onError(undefined));
        const body = { notification: make(), state, ...(id && { id }), ...(firingId && { firing_id: firingId }) };
        setShown({ preview: (await ask(api.post('/notifications/preview', { body }))).preview, state });
      } catch (error) {
        setProblem(onError(error));
        setShown(undefined);
      }
    });
  return (
    <section class="stack" aria-labelledby="preview">
      <div class="section-head">
        <h2 id="preview">{t('Preview')}</h2>
        <button type="button" class="button" disabled={busy} onClick={() => show(shown?.state ?? 'firing', firing)}>
          {t(shown ? 'Show again' : 'Show what is sent')}
        </button>
      </div>
      <FiringChoice
        value={firing}
        onValue={(value) => {
          setFiring(value);
          if (shown) void show(shown.state, value);
        }}
      />
      {problem !== undefined && <Refusal error={problem} />}
      {shown && (
        <>
          <Choices<State>
            label={t('Shows')}
            value={shown.state}
            onValue={(state) => void show(state, firing)}
            options={shown.preview.states.map((state) => [state, t(TITLES[state])] as const)}
          />
          <Request preview={shown.preview} />
        </>
      )}
    </section>
  );
}

/** The latest firings, to choose the one that is shown. */
function FiringChoice({ value, onValue }: { value: string; onValue: (id: string) => void }) {
  const names = useNames();
  const query = { sort: 'DESC' as const, page: 0, per_page: FIRINGS };
  const firings = useResource(
    'firings of a preview',
    async () => (await ask(api.get('/firings', { params: { query } }))).firings,
  );
  if (!firings.data) return null;
  if (firings.data.length === 0) {
    return <p class="small quiet">{t('No alert has fired yet, so samples stand in for its values.')}</p>;
  }
  return (
    <Select
      label={t('For the alert')}
      value={value}
      onValue={onValue}
      options={[
        [LATEST, t('The latest one')],
        ...firings.data.map(
          ({ id, trigger_id, sensor_id, date }) =>
            [
              id,
              t('{trigger} on {sensor}, {date}', {
                trigger: triggerOf(trigger_id, names),
                sensor: sensorOf(sensor_id, names),
                date: formatShort(date),
              }),
            ] as const,
        ),
      ]}
    />
  );
}

function Request({ preview: { method, url, headers, body, note } }: { preview: Shown }) {
  return (
    <div class="stack tight">
      {note && <p class="message warn small breakable">{note}</p>}
      <code class="breakable">{method ? `${method} ${url}` : t('to {name}', { name: url })}</code>
      <pre class="code request-body">{indented(body)}</pre>
      <details class="more">
        <summary>{t('Headers')}</summary>
        <dl class="headers small">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="breakable">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

/** JSON with a line for each field; any other text unchanged. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
