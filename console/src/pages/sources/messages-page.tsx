import { api, ask, type Records } from '../../api';
import { formatAge, formatCount, formatDate } from '../../format';
import { many, type PlainText, t } from '../../language';
import { href } from '../../router';
import { Empty, Loaded, Page, Status } from '../../ui/page';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';
import { useNames } from '../names';
import { State } from '../sources';
import type { Source } from './source';

type Message = Records['MqttMessageView'];

const OUTCOMES: Readonly<Record<Message['outcome'], { text: PlainText; kind?: 'good' | 'bad' | 'warn' }>> = {
  stored: { text: 'stored', kind: 'good' },
  nothing: { text: 'nothing stored' },
  refused: { text: 'refused', kind: 'bad' },
  waiting: { text: 'waiting', kind: 'warn' },
};
/** What came in lately from a source, and what became of it. */
export function MessagesPage({ id }: { id: string }) {
  const params = { path: { id } };
  const loaded = useResource(
    `messages of source ${id}`,
    async (signal) => {
      const [{ mqtt_source: source }, { messages }] = await Promise.all([
        ask(api.get('/mqtt_sources/{id}', { params, signal })),
        ask(api.get('/mqtt_sources/{id}/messages', { params, signal })),
      ]);
      return { source, messages };
    },
    { everyMs: 3_000 },
  );
  return (
    <Page
      title={t('Latest messages')}
      lead={t('The last 50 messages of this source, and what became of each.')}
      crumb={{ path: `/sources/${id}`, name: loaded.data?.source.name ?? t('MQTT source') }}
    >
      <Loaded resource={loaded}>
        {({ source, messages }) => (
          <div class="stack">
            <State source={source} />
            <Counts source={source} />
            {messages.length === 0 ? (
              <Empty title={t('No messages yet')}>
                <p>{t('They appear here when your broker delivers something for the topics of this source.')}</p>
              </Empty>
            ) : (
              <List messages={messages} />
            )}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** What is lost, doubled or left out, as far as there is any of it. */
function Counts({ source }: { source: Source }) {
  const counts: [number, string][] = [
    [source.waiting, many(source.waiting, '{n} message waits at the broker', '{n} messages wait at the broker')],
    [source.refused, many(source.refused, '{n} message refused by a limit', '{n} messages refused by a limit')],
    [source.unreadable, many(source.unreadable, '{n} unreadable message', '{n} unreadable messages')],
    [source.incomplete, many(source.incomplete, '{n} message stored in part', '{n} messages stored in part')],
    [source.unchanged, many(source.unchanged, '{n} retained message left out', '{n} retained messages left out')],
    [source.repeated, many(source.repeated, '{n} repeated message', '{n} repeated messages')],
    [source.ignored, many(source.ignored, '{n} message without values', '{n} messages without values')],
  ];
  const some = counts.filter(([count]) => count > 0);
  return some.length === 0 ? null : <p class="small quiet">{some.map(([, text]) => text).join(' · ')}</p>;
}

function List({ messages }: { messages: readonly Message[] }) {
  const names = useNames();
  return (
    <Table<{ message: Message; key: string }>
      caption={t('Latest messages')}
      rows={messages.map((message, index) => ({ message, key: `${message.date} ${index}` }))}
      keyOf={({ key }) => key}
      columns={[
        {
          name: t('When'),
          cell: ({ message: { date } }) => <span title={formatDate(date)}>{formatAge(date)}</span>,
        },
        { name: t('Message'), cell: ({ message }) => <Content message={message} /> },
        { name: t('Outcome'), cell: ({ message }) => <Outcome message={message} names={names.sensors} /> },
      ]}
    />
  );
}

function Content({ message: { topic, payload, bytes, retained } }: { message: Message }) {
  return (
    <div>
      <span class="strong breakable">{topic}</span>
      <div class="small breakable">
        <code>{payload}</code>
      </div>
      <div class="small quiet">
        {t('{n} bytes', { n: formatCount(bytes) })}
        {retained && `, ${t('retained')}`}
      </div>
    </div>
  );
}

function Outcome({ message, names }: { message: Message; names: ReadonlyMap<string, string> }) {
  const { outcome, reason, sensor_ids: ids } = message;
  return (
    <div class="stack tight">
      <Status {...OUTCOMES[outcome]}>{t(OUTCOMES[outcome].text)}</Status>
      {ids.map((id) => (
        <a key={id} class="small breakable" href={href(`/sensors/${id}`)}>
          {names.get(id) ?? t('Sensor {id}', { id })}
        </a>
      ))}
      {reason && <span class="small breakable">{reason}</span>}
    </div>
  );
}
