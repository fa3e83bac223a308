import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { nameOf } from '../../destination';
import { said, t } from '../../language';
import { Action } from '../../ui/action';
import { DangerButton, DialogButton } from '../../ui/dialog';
import { Form, Select } from '../../ui/form';
import { Loaded, Status } from '../../ui/page';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';
import { LOADERS } from '../names';
import type { EventNotification, Kind, ShownEvents } from './load';

/** What happened, or the name that a program gave it, with the name of the event. */
export function EventName({ kind, title, limit }: { kind: Kind; title?: string; limit?: string }) {
  const { name, description } = kind;
  return (
    <div>
      {title || said(description)}
      <div class="small quiet">
        <code>{name}</code> {limit && t('in {name}', { name: limit })}
      </div>
    </div>
  );
}

/** The event notifications of the user. */
export function Connections({ kindOf, connections, notifications, sources, reload }: ShownEvents) {
  const to = new Map(notifications.map((one) => [one.id, nameOf(one)]));
  const kind = ({ event }: EventNotification) => kindOf.get(event) as Kind; // each event has a kind
  const limit = (one: EventNotification) =>
    one.source_id ? (sources.get(`${kind(one).source}${one.source_id}`) ?? one.source_id) : '';
  return (
    <Table<EventNotification>
      caption={t('You are notified of')}
      rows={connections}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Event'),
          cell: (one) => (
            <EventName kind={kind(one)} title={one.name === one.event ? '' : one.name} limit={limit(one)} />
          ),
        },
        { name: t('To'), cell: ({ notification_id }) => <div class="receiver">{to.get(notification_id)}</div> },
        {
          name: t('State'),
          cell: ({ enabled }) => <Status kind={enabled ? 'good' : undefined}>{t(enabled ? 'on' : 'off')}</Status>,
        },
        {
          name: t('Actions'),
          right: true,
          cell: (one) => <Buttons connection={one} source={kind(one).source} reload={reload} />,
        },
      ]}
    />
  );
}

type Changes = Records['EventNotificationFields'];

interface ButtonsProps {
  connection: EventNotification;
  source: Kind['source'];
  reload: () => void;
}

function Buttons({ connection, source, reload }: ButtonsProps) {
  const { id, enabled, event } = connection;
  const params = { path: { id } };
  const change = async (event_notification: Changes) => {
    await ask(api.put('/events/notifications/{id}', { params, body: { event_notification } }));
    reload();
  };
  return (
    <div class="actions">
      {source && <LimitButton {...{ connection, source, change }} />}
      <Action
        kind="small-button"
        label={t(enabled ? 'Switch off {name}' : 'Switch on {name}', { name: event })}
        act={() => change({ enabled: !enabled })}
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

/** As a source, it removes the limit. */
const ANYWHERE = '0';

interface LimitProps {
  connection: EventNotification;
  source: Exclude<Kind['source'], null>;
  change: (changes: Changes) => Promise<void>;
}

function LimitButton(props: LimitProps) {
  return (
    <DialogButton
      text={t('Limit')}
      kind="small-button"
      label={t('Limit {event}', { event: props.connection.event })}
      title={t('Limit')}
    >
      {(close) => <Limit {...props} close={close} />}
    </DialogButton>
  );
}

/** Limits an event to one sensor, group or environment. */
function Limit({ connection, source, change, close }: LimitProps & { close: () => void }) {
  const [chosen, setChosen] = useState(connection.source_id ?? ANYWHERE);
  const options = useResource(source, LOADERS[source]);
  return (
    <Loaded resource={options}>
      {(list) => (
        <Form label={t('Save')} submit={() => change({ source_id: chosen }).then(close)} onCancel={close}>
          <Select
            label={t('Only in this {kind}', { kind: said(source) })}
            value={chosen}
            onValue={setChosen}
            options={[[ANYWHERE, t('All')], ...list]}
          />
        </Form>
      )}
    </Loaded>
  );
}
