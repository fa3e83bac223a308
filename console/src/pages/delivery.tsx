import { all, api, ask, type Records } from '../api';
import { formatDate, formatMs, withMinus } from '../format';
import { said, t, tx } from '../language';
import { href } from '../router';
import { Loaded, Page, Section, Status } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { Stages } from './deliveries/stages';
import { DeliveryProblem, DeliveryStatus, Redeliver } from './deliveries/status';
import { DeliverySubject, detailOf, sensorNameOf, subjectOf, triggerNameOf } from './deliveries/summary';
import { useDestinations } from './deliveries/use-destinations';
import { type Names, useNames } from './names';
import { chartPath } from './sensor/firings';

type Delivery = Records['DeliveryInFullView'];
type PartProps = { delivery: Delivery; names: Names };

/** One delivery: its text, the time of each stage, and every attempt. */
export function DeliveryPage({ id }: { id: string }) {
  const delivery = useResource(
    `delivery ${id}`,
    async (signal) => (await ask(api.get('/deliveries/{id}', { params: { path: { id } }, signal }))).delivery,
    { everyMs: 5_000 },
  );
  const destinationOf = useDestinations();
  const names = useNames();
  const number = t('Delivery {id}', { id });
  return (
    <Page
      title={delivery.data ? subjectOf(delivery.data, names) : number}
      crumb={{ path: '/deliveries', name: t('Deliveries') }}
      lead={
        delivery.data && (
          <span class="breakable">
            {number} {t('to {name}', { name: destinationOf(delivery.data) })}
          </span>
        )
      }
      actions={delivery.data && <Redeliver delivery={delivery.data} onDone={delivery.reload} />}
    >
      <Loaded resource={delivery}>{(found) => <Parts delivery={found} names={names} />}</Loaded>
    </Page>
  );
}

function Parts({ delivery, names }: PartProps) {
  return (
    <>
      <div class="columns">
        <div class="stack">
          <div>
            <DeliveryStatus delivery={delivery} />
            <DeliveryProblem delivery={delivery} />
          </div>
          <Facts delivery={delivery} names={names} />
        </div>
        <Section title={t('Stages')}>
          <Stages timing={delivery.timing} />
        </Section>
      </div>
      {delivery.is_digest && <Held delivery={delivery} names={names} />}
      <Section title={t('Attempts')}>
        {delivery.attempts.length === 0 ? (
          <p class="quiet">{t('None yet.')}</p>
        ) : (
          <Attempts attempts={delivery.attempts} />
        )}
      </Section>
    </>
  );
}

function Facts({ delivery, names }: PartProps) {
  return (
    <dl class="facts">
      {!delivery.is_digest && (
        <>
          <dt>{t('Text')}</dt>
          <dd class="lines">{withMinus(delivery.text) || t('no text')}</dd>
          <dt>{t('Sent by')}</dt>
          <dd>
            <Cause delivery={delivery} names={names} />
          </dd>
        </>
      )}
      <dt>{t('Created')}</dt>
      <dd>{formatDate(delivery.created)}</dd>
    </dl>
  );
}

function Cause({ delivery, names }: PartProps) {
  const { event, sensor_id, trigger_id, created } = delivery;
  if (event) {
    return (
      <>
        {subjectOf(delivery, names)} <code>{event}</code>
        <div class="breakable">{detailOf(delivery)}</div>
      </>
    );
  }
  if (sensor_id === null || trigger_id === null) return <>{subjectOf(delivery, names)}</>;
  return (
    <>
      {tx('{trigger} on {sensor}', {
        trigger: (
          <a href={href(`/sensors/${sensor_id}/triggers/${trigger_id}`)}>
            {t('“{name}”', { name: triggerNameOf(delivery) })}
          </a>
        ),
        sensor: <a href={href(chartPath(sensor_id, created))}>{sensorNameOf(delivery, names)}</a>,
      })}
    </>
  );
}

/** The alerts of a digest. */
function Held({ delivery, names }: PartProps) {
  const held = useResource(`digest ${delivery.id}`, () =>
    all(async (query) => {
      const params = { query: { ...query, digest_id: delivery.id } };
      return (await ask(api.get('/deliveries', { params }))).deliveries;
    }),
  );
  return (
    <Section title={t('Alerts')}>
      <Loaded resource={held}>
        {(list) => (
          <Table
            caption={t('Alerts')}
            rows={list}
            keyOf={({ id }) => id}
            columns={[{ name: t('What'), cell: (one) => <DeliverySubject delivery={one} names={names} /> }]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function Attempts({ attempts }: { attempts: Delivery['attempts'] }) {
  return (
    <Table<Delivery['attempts'][number]>
      caption={t('Attempts')}
      rows={attempts}
      keyOf={({ date }) => String(date)}
      columns={[
        { name: t('When'), cell: ({ date }) => formatDate(date) },
        {
          name: t('Answer'),
          cell: ({ status_code: code, error, request_body, response_body }) => (
            <div>
              <Status kind={error ? 'bad' : 'good'}>{code ?? (error ? t('none') : t('accepted'))}</Status>
              {error && <div class="small quiet breakable">{said(error)}</div>}
              <Body name={t('Answer')} text={response_body} isOpen={error !== ''} />
              <Body name={t('Sent')} text={request_body} />
            </div>
          ),
        },
        { name: t('Took'), right: true, cell: ({ duration_ms }) => formatMs(duration_ms) },
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
