import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../api';
import { nameOf } from '../destination';
import { said, t } from '../language';
import { Action } from '../ui/action';
import { DangerButton, DialogButton } from '../ui/dialog';
import { Field, Form, Select } from '../ui/form';
import { Empty, Loaded, Page, Status } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';

type EventNotification = Records['EventNotificationView'];
type Kind = Records['EventView'];
type Notification = Records['NotificationView'];

async function load() {
  const [kinds, connections, notifications] = await Promise.all([
    all(async (query) => (await ask(api.get('/events', { params: { query } }))).events),
    all(async (query) => (await ask(api.get('/events/notifications', { params: { query } }))).event_notifications),
    all(async (query) => (await ask(api.get('/notifications', { params: { query } }))).notifications),
  ]);
  return { kinds, connections, notifications };
}

/** The events of the platform, and the user's event notifications. */
export function EventsPage() {
  const events = useResource('events', load);
  const { data, reload } = events;
  return (
    <Page
      title={t('Events')}
      lead={t('Be notified of what happens: a sensor is shared, a member joins, a delivery fails.')}
      actions={
        data && (
          <DialogButton text={t('New subscription')} title={t('Be notified of an event')} kind="primary">
            {(close) => <New {...data} close={close} reload={reload} />}
          </DialogButton>
        )
      }
    >
      <Loaded resource={events}>
        {({ kinds, connections, notifications }) => (
          <>
            {connections.length === 0 ? (
              <Empty title={t('No subscriptions yet')}>
                <p>{t('Choose an event and a notification. You get a message each time the event happens.')}</p>
              </Empty>
            ) : (
              <Connections {...{ kinds, connections, notifications, reload }} />
            )}
            <AllEvents kinds={kinds} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function AllEvents({ kinds }: { kinds: readonly Kind[] }) {
  return (
    <details>
      <summary>{t('All {n} events', { n: kinds.length })}</summary>
      <Table<Kind>
        caption={t('All events')}
        rows={kinds}
        keyOf={({ name }) => name}
        columns={[
          { name: t('Event'), cell: ({ name }) => <code>{name}</code> },
          { name: t('What happened'), cell: ({ description }) => said(description) },
          { name: t('Concerns'), right: true, cell: ({ source }) => <span class="quiet">{said(source ?? '')}</span> },
        ]}
      />
    </details>
  );
}

interface SubscriptionsProps {
  kinds: readonly Kind[];
  connections: readonly EventNotification[];
  notifications: readonly Notification[];
  reload: () => void;
}

function Connections({ kinds, connections, notifications, reload }: SubscriptionsProps) {
  const descriptionOf = (event: string) => said(kinds.find(({ name }) => name === event)?.description ?? event);
  const to = (id: string) => {
    const found = notifications.find((one) => one.id === id);
    return found ? nameOf(found) : id;
  };
  return (
    <Table<EventNotification>
      caption={t('Subscriptions')}
      rows={connections}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Event'),
          cell: ({ name, event, source_id }) => (
            <div>
              <strong>{name && name !== event ? name : descriptionOf(event)}</strong>
              <div class="small quiet">
                <code>{event}</code>
                {source_id && ` ${t('in {id}', { id: source_id })}`}
              </div>
            </div>
          ),
        },
        { name: t('To'), cell: ({ notification_id }) => <div class="receiver">{to(notification_id)}</div> },
        {
          name: t('State'),
          cell: ({ enabled }) => <Status kind={enabled ? 'good' : undefined}>{t(enabled ? 'on' : 'off')}</Status>,
        },
        { name: t('Actions'), right: true, cell: (one) => <Buttons connection={one} reload={reload} /> },
      ]}
    />
  );
}

function Buttons({
  connection: { id, enabled, event },
  reload,
}: {
  connection: EventNotification;
  reload: () => void;
}) {
  const params = { path: { id } };
  const toggle = async () => {
    const body = { event_notification: { enabled: !enabled } };
    await ask(api.put('/events/notifications/{id}', { params, body }));
    reload();
  };
  return (
    <div class="actions">
      <Action
        kind="small-button"
        label={t(enabled ? 'Switch off {name}' : 'Switch on {name}', { name: event })}
        act={toggle}
      >
        {t(enabled ? 'Switch off' : 'Switch on')}
      </Action>
      <DangerButton
        text={t('Delete')}
        kind="danger small-button"
        label={t('Delete the subscription to {event}', { event })}
        title={t('Delete the subscription?')}
        consequence={t('You will no longer be notified of this event.')}
        act={async () => {
          await ask(api.delete('/events/notifications/{id}', { params }));
          reload();
        }}
      />
    </div>
  );
}

interface NewProps {
  kinds: readonly Kind[];
  notifications: readonly Notification[];
  close: () => void;
  reload: () => void;
}

function New({ kinds, notifications, close, reload }: NewProps) {
  const [event, setEvent] = useState<string>(kinds[0]?.name ?? '');
  const [to, setTo] = useState(notifications[0]?.id ?? '');
  const [source, setSource] = useState('');
  const kind = kinds.find(({ name }) => name === event);
  const submit = async () => {
    const body = { event, notification_id: to, ...(source && { source_id: source }) };
    await ask(api.post('/events/notifications', { body: { event_notification: body as never } })); // one of the list
    close();
    reload();
  };
  if (notifications.length === 0) return <p>{t('Create a notification first. It defines where messages are sent.')}</p>;
  return (
    <Form label={t('Subscribe')} submit={submit} onCancel={close}>
      <Select
        label={t('Event')}
        value={event}
        onValue={setEvent}
        options={kinds.map(({ name, description }) => [name, said(description)] as const)}
      />
      <Select
        label={t('To')}
        value={to}
        onValue={setTo}
        options={notifications.map((one) => [one.id, nameOf(one)] as const)}
      />
      {kind?.source && (
        <Field
          label={t('Only in this {kind}', { kind: said(kind.source) })}
          hint={t('Its id. Leave it empty for all that you can see.')}
          value={source}
          onValue={setSource}
        />
      )}
    </Form>
  );
}
