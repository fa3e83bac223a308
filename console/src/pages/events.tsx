import { useState } from 'preact/hooks';
import { api, ask } from '../api';
import { nameOf } from '../destination';
import { type PlainText, said, t } from '../language';
import { href } from '../router';
import { Action } from '../ui/action';
import { Narrow, Search } from '../ui/filters';
import { Empty, Loaded, Page, Section } from '../ui/page';
import { useResource } from '../use-resource';
import { Connections, EventName } from './events/connections';
import { type Kind, loadEvents, type ShownEvents } from './events/load';

/** The events of the platform: those that notify the user come first, and each of the others starts with one click. */
export function EventsPage() {
  const events = useResource('events', loadEvents);
  return (
    <Page
      title={t('Events')}
      lead={t('Be notified of what happens: a sensor is shared, a member joins, a delivery fails.')}
    >
      <Loaded resource={events}>{(known) => <Events {...known} reload={events.reload} />}</Loaded>
    </Page>
  );
}

function Events(shown: ShownEvents) {
  const { kinds, kindOf, connections, notifications } = shown;
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const to = chosen || notifications[0]?.id;
  const isFound = ({ name, description }: Kind) => `${name} ${said(description)}`.toLowerCase().includes(text);
  const isSent = ({ name }: Kind) =>
    connections.some((one) => one.event === name && one.notification_id === to && one.source_id === null);
  const present = connections.filter(({ event }) => isFound(kindOf.get(event) as Kind)); // each event has a kind
  const others = kinds.filter((kind) => isFound(kind) && !isSent(kind));
  return (
    <>
      <div class="line">
        <Search
          label={t('Find events')}
          placeholder={t('Find events')}
          value={text}
          onValue={(next) => setText(next.trim().toLowerCase())}
        />
        {notifications.length > 1 && <Destination {...{ notifications, to }} onTo={setChosen} />}
      </div>
      {!to && <NoDestination />}
      {present.length > 0 && (
        <Section title={t('You are notified of')}>
          <Connections {...shown} connections={present} />
        </Section>
      )}
      {present.length + others.length === 0 && <Empty title={t('Nothing found')} />}
      <Others kinds={others} to={to} reload={shown.reload} />
    </>
  );
}

interface DestinationProps extends Pick<ShownEvents, 'notifications'> {
  to: string | undefined;
  onTo: (id: string) => void;
}

/** Chooses where the events go that are connected next. */
function Destination({ notifications, to, onTo }: DestinationProps) {
  return (
    <span class="line">
      {t('Notify me at')}
      <Narrow
        label={t('Notify me at')}
        value={to ?? ''}
        options={notifications.map((one) => [one.id, nameOf(one)] as const)}
        onValue={onTo}
      />
    </span>
  );
}

const TITLES: Readonly<Record<string, PlainText>> = {
  sensor: 'Sensors',
  trigger: 'Triggers',
  notification: 'Notifications',
  delivery: 'Notifications',
  environment: 'Environments',
  group: 'Groups',
};

/** The heading under which an event is listed. */
function titleOf({ subject, source }: Kind): PlainText {
  return TITLES[subject === 'trigger' ? subject : (source ?? subject)] ?? 'Account';
}

function NoDestination() {
  return (
    <div class="message line spread">
      {t('Create a notification first. It defines where messages are sent.')}
      <a class="button small-button" href={href('/notifications/new')}>
        {t('New notification')}
      </a>
    </div>
  );
}

interface OthersProps {
  kinds: readonly Kind[];
  /** Where they go that the user connects. */
  to: string | undefined;
  reload: () => void;
}

/** Events that do not notify the user there yet, by what they are about. */
function Others({ kinds, ...shared }: OthersProps) {
  return (
    <div class="event-groups">
      {[...new Set(kinds.map(titleOf))].map((title) => (
        <Section key={title} title={t(title)}>
          <ul class="rows">
            {kinds
              .filter((kind) => titleOf(kind) === title)
              .map((kind) => (
                <Other key={kind.name} kind={kind} {...shared} />
              ))}
          </ul>
        </Section>
      ))}
    </div>
  );
}

function Other({ kind, to, reload }: Omit<OthersProps, 'kinds'> & { kind: Kind }) {
  const { name: event, description } = kind;
  const connect = async () => {
    const event_notification = { event, notification_id: to ?? '' };
    await ask(api.post('/events/notifications', { body: { event_notification } }));
    reload();
  };
  return (
    <li class="line spread">
      <EventName kind={kind} />
      {to && (
        <Action kind="small-button" label={t('Notify me: {event}', { event: said(description) })} act={connect}>
          {t('Notify me')}
        </Action>
      )}
    </li>
  );
}
