import { all, api, ask, type Records } from '../api';
import { nameOf } from '../destination';
import { unsubscribeFrom } from '../push';
import { href } from '../router';
import { Action } from '../ui/action';
import { DangerButton, DialogButton } from '../ui/dialog';
import { Empty, Loaded, Page, Status } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { EditNotification, NewNotification } from './notifications/form';
import { LastResult, Proven } from './notifications/last-result';
import { Secret } from './notifications/secret';
import { TestButton } from './notifications/test-button';
import { ThisBrowser } from './notifications/this-browser';

type Notification = Records['NotificationView'];

const LOOK_MS = 30_000;

/** Destinations of alerts: addresses, URLs and browsers, with their texts. */
export function NotificationsPage() {
  const load = () => all(async (query) => (await ask(api.get('/notifications', { params: { query } }))).notifications);
  const notifications = useResource('notifications', load, { everyMs: LOOK_MS });
  const add = (
    <DialogButton text="New notification" title="New notification" kind="primary">
      {(close) => (
        <NewNotification
          onCancel={close}
          onDone={() => {
            close();
            notifications.reload();
          }}
        />
      )}
    </DialogButton>
  );
  return (
    <Page title="Notifications" lead="Where triggers and events report to." actions={add}>
      <Loaded resource={notifications}>
        {(list) => (
          <>
            {list.length === 0 ? (
              <Empty title="No notifications yet">
                <p>
                  A notification is an address for mails, a URL that gets a signed request, or a browser, with a text.
                </p>
              </Empty>
            ) : (
              <List list={list} reload={notifications.reload} />
            )}
            <ThisBrowser list={list} reload={notifications.reload} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function List({ list, reload }: { list: readonly Notification[]; reload: () => void }) {
  return (
    <Table<Notification>
      caption="Notifications"
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Destination',
          cell: (one) => (
            <div>
              <strong class="breakable">{nameOf(one)}</strong>
              <div class="small quiet breakable">{one.text || 'no text'}</div>
            </div>
          ),
        },
        { name: 'State', cell: (one) => <State notification={one} reload={reload} /> },
        {
          name: 'Last delivery',
          cell: (one) => (
            <>
              <LastResult last={one.last_delivery} />
              <Proven notification={one} />
            </>
          ),
        },
        { name: 'Actions', right: true, cell: (one) => <Buttons notification={one} reload={reload} /> },
      ]}
    />
  );
}

const OFF: Record<string, string> = {
  owner: 'switched off',
  failing: 'switched off: it failed for five days',
  unsubscribed: 'its recipient unsubscribed',
  gone: 'switched off: the browser has ended its subscription',
};

function State({ notification: { id, enabled, disabled_reason, confirmed }, reload }: RowProps) {
  if (!enabled) return <Status kind="warn">{OFF[disabled_reason] ?? 'switched off'}</Status>;
  if (confirmed) return <Status kind="good">on</Status>;
  return (
    <div class="stack tight">
      <Status kind="warn">not confirmed yet</Status>
      <Action
        kind="small-button"
        done="The mail is on its way."
        act={async () => {
          await ask(api.post('/notifications/{id}/request_confirmation', { params: { path: { id } } }));
          reload();
        }}
      >
        Ask again
      </Action>
    </div>
  );
}

interface RowProps {
  notification: Notification;
  reload: () => void;
}

function Buttons({ notification, reload }: RowProps) {
  const { id, type } = notification;
  const name = nameOf(notification);
  const path = { id };
  return (
    <div class="actions">
      <TestButton notification={notification} reload={reload} />
      <a class="button small-button" href={href(`/deliveries?notification=${id}`)} aria-label={`Deliveries to ${name}`}>
        Deliveries
      </a>
      {type === 'url' && <Secret notification={notification} reload={reload} />}
      <Change notification={notification} reload={reload} />
      <DangerButton
        text="Delete"
        kind="danger small-button"
        label={`Delete ${name}`}
        title={`Delete ${name}?`}
        consequence="Every trigger that reports there stops until it is activated again, even if it reports elsewhere as well."
        act={async () => {
          await ask(api.delete('/notifications/{id}', { params: { path } }));
          await unsubscribeFrom(notification).catch(() => {});
          reload();
        }}
      />
    </div>
  );
}

/** Edits it, enables it or disables it. */
function Change({ notification, reload }: RowProps) {
  const { id, enabled } = notification;
  const name = nameOf(notification);
  const toggle = async () => {
    const body = { notification: { enabled: !enabled } };
    await ask(api.put('/notifications/{id}', { params: { path: { id } }, body }));
    reload();
  };
  return (
    <>
      <DialogButton text="Edit" title="Edit the notification" kind="small-button" label={`Edit ${name}`}>
        {(close) => (
          <EditNotification
            notification={notification}
            onCancel={close}
            onDone={() => {
              close();
              reload();
            }}
          />
        )}
      </DialogButton>
      <Action kind="small-button" label={`Switch ${enabled ? 'off' : 'on'} ${name}`} act={toggle}>
        {enabled ? 'Switch off' : 'Switch on'}
      </Action>
    </>
  );
}
