import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../api';
import { nameOf } from '../destination';
import { formatMany } from '../format';
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
      title="Events"
      lead="Be notified of what happens: a sensor was shared, a member joined, a delivery failed."
      actions={
        data && (
          <DialogButton text="New subscription" title="Be notified of an event" kind="primary">
            {(close) => <New {...data} close={close} reload={reload} />}
          </DialogButton>
        )
      }
    >
      <Loaded resource={events}>
        {({ kinds, connections, notifications }) => (
          <>
            {connections.length === 0 ? (
              <Empty title="No subscriptions yet">
                <p>Choose an event and a notification, and each time it happens a message goes out.</p>
              </Empty>
            ) : (
              <Connections {...{ connections, notifications, reload }} />
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
      <summary>All {formatMany(kinds.length, 'event')}</summary>
      <Table<Kind>
        caption="All events"
        rows={kinds}
        keyOf={({ name }) => name}
        columns={[
          { name: 'Event', cell: ({ name }) => <code>{name}</code> },
          { name: 'What happened', cell: ({ description }) => description },
          { name: 'In a', right: true, cell: ({ source }) => <span class="quiet">{source ?? ''}</span> },
        ]}
      />
    </details>
  );
}

interface SubscriptionsProps {
  connections: readonly EventNotification[];
  notifications: readonly Notification[];
  reload: () => void;
}

function Connections({ connections, notifications, reload }: SubscriptionsProps) {
  const to = (id: string) => {
    const found = notifications.find((one) => one.id === id);
    return found ? nameOf(found) : id;
  };
  return (
    <Table<EventNotification>
      caption="Subscriptions"
      rows={connections}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Event',
          cell: ({ name, event, source_id }) => (
            <div>
              <strong>{name || event}</strong>
              <div class="small quiet">
                <code>{event}</code>
                {source_id && ` in ${source_id}`}
              </div>
            </div>
          ),
        },
        { name: 'To', cell: ({ notification_id }) => <span class="breakable">{to(notification_id)}</span> },
        {
          name: 'State',
          cell: ({ enabled }) => <Status kind={enabled ? 'good' : undefined}>{enabled ? 'on' : 'off'}</Status>,
        },
        { name: 'Actions', right: true, cell: (one) => <Buttons connection={one} reload={reload} /> },
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
      <Action kind="small-button" label={`Switch ${enabled ? 'off' : 'on'} ${event}`} act={toggle}>
        {enabled ? 'Switch off' : 'Switch on'}
      </Action>
      <DangerButton
        text="Delete"
        kind="danger small-button"
        label={`Delete the subscription to ${event}`}
        title="Delete the subscription?"
        consequence="The event goes on happening; nobody is notified of it any more."
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
  if (notifications.length === 0) return <p>Make a notification first: it says where the message goes.</p>;
  return (
    <Form label="Subscribe" submit={submit} onCancel={close}>
      <Select
        label="Event"
        value={event}
        onValue={setEvent}
        options={kinds.map(({ name, description }) => [name, description] as const)}
      />
      <Select
        label="To"
        value={to}
        onValue={setTo}
        options={notifications.map((one) => [one.id, nameOf(one)] as const)}
      />
      {kind?.source && (
        <Field
          label={`Only in this ${kind.source}`}
          hint="Its id; leave it empty for all that you can see."
          value={source}
          onValue={setSource}
        />
      )}
    </Form>
  );
}
