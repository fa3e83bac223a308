import { api, ask, type Records } from '../api';
import { formatDate, formatMs } from '../format';
import { href } from '../router';
import { Loaded, Page, Section, Status } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { Stages, stagesOf } from './deliveries/stages';
import { DeliveryStatus, Redeliver } from './deliveries/status';
import { sensorNameOf, triggerNameOf } from './deliveries/summary';
import { useDestinations } from './deliveries/use-destinations';
import { chartPath } from './sensor/firings';

type Delivery = Records['DeliveryInFullView'];

/** One delivery: its text, the time of each stage, and every attempt. */
export function DeliveryPage({ id }: { id: string }) {
  const delivery = useResource(
    `delivery ${id}`,
    async (signal) => (await ask(api.get('/deliveries/{id}', { params: { path: { id } }, signal }))).delivery,
    { everyMs: 5_000 },
  );
  const destinationOf = useDestinations();
  return (
    <Page
      title={`Delivery ${id}`}
      crumb={{ path: '/deliveries', name: 'Deliveries' }}
      lead={delivery.data && <span class="breakable">to {destinationOf(delivery.data)}</span>}
      actions={delivery.data && <Redeliver delivery={delivery.data} onDone={delivery.reload} />}
    >
      <Loaded resource={delivery}>{(found) => <Parts delivery={found} />}</Loaded>
    </Page>
  );
}

function Parts({ delivery }: { delivery: Delivery }) {
  return (
    <>
      <div class="columns">
        <div class="stack">
          <DeliveryStatus delivery={delivery} />
          <Facts delivery={delivery} />
        </div>
        <Section title="Stages">
          <Stages timing={delivery.timing} />
          <dl class="facts numbers">
            {stagesOf(delivery.timing).map(({ name, index, ms }) => (
              <>
                <dt>
                  <span class="legend-item">
                    <span class={`swatch s${index + 1}`} />
                    until {name}
                  </span>
                </dt>
                <dd>{formatMs(ms)}</dd>
              </>
            ))}
          </dl>
        </Section>
      </div>
      <Section title="Attempts">
        {delivery.attempts.length === 0 ? <p class="quiet">None yet.</p> : <Attempts attempts={delivery.attempts} />}
      </Section>
    </>
  );
}

function Facts({ delivery }: { delivery: Delivery }) {
  return (
    <dl class="facts">
      <dt>Text</dt>
      <dd class="lines">{delivery.text || 'none'}</dd>
      <dt>Sent by</dt>
      <dd>
        <Cause delivery={delivery} />
      </dd>
      <dt>Created</dt>
      <dd>{formatDate(delivery.created)}</dd>
      {delivery.next_attempt !== null && (
        <>
          <dt>Next attempt</dt>
          <dd>{formatDate(delivery.next_attempt)}</dd>
        </>
      )}
    </dl>
  );
}

function Cause({ delivery }: { delivery: Delivery }) {
  const { event, sensor_id, trigger_id, subject_id, source_id, is_digest, probe, created } = delivery;
  if (event) {
    return (
      <>
        the event <code>{event}</code>, subject {subject_id}
        {source_id && `, source ${source_id}`}
      </>
    );
  }
  if (is_digest) return <>alerts of one minute</>;
  if (sensor_id === null || trigger_id === null) return <>{probe ? 'a probe' : 'a test'}</>;
  return (
    <>
      <a href={href(`/sensors/${sensor_id}/triggers/${trigger_id}`)}>“{triggerNameOf(delivery)}”</a> on{' '}
      <a href={href(chartPath(sensor_id, created))}>{sensorNameOf(delivery)}</a>
    </>
  );
}

function Attempts({ attempts }: { attempts: Delivery['attempts'] }) {
  return (
    <Table<Delivery['attempts'][number]>
      caption="Attempts"
      rows={attempts}
      keyOf={({ date }) => String(date)}
      columns={[
        { name: 'When', cell: ({ date }) => formatDate(date) },
        {
          name: 'Answer',
          cell: ({ status_code: code, error, request_body, response_body }) => (
            <div>
              <Status kind={error ? 'bad' : 'good'}>{code ?? (error ? 'none' : 'accepted')}</Status>
              {error && <div class="small quiet breakable">{error}</div>}
              <Body name="Answer" text={response_body} isOpen={error !== ''} />
              <Body name="Sent" text={request_body} />
            </div>
          ),
        },
        { name: 'Took', right: true, cell: ({ duration_ms }) => formatMs(duration_ms) },
      ]}
    />
  );
}

/** The beginning of a body; nothing if it is empty, or if the login may not see it. */
function Body({ name, text, isOpen = false }: { name: string; text: string | null | undefined; isOpen?: boolean }) {
  if (!text) return null;
  return (
    <details open={isOpen}>
      <summary class="small">{name}</summary>
      <pre class="small">{text}</pre>
    </details>
  );
}
