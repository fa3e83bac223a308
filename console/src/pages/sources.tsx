import { all, api, ask } from '../api';
import { formatAge } from '../format';
import { many, t } from '../language';
import { href } from '../router';
import { Action } from '../ui/action';
import { DeleteButton } from '../ui/dialog';
import { Empty, Loaded, Page, Status } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { type Source, STATES } from './sources/source';

/** The brokers that the platform listens to. */
export function SourcesPage() {
  const sources = useResource(
    'sources',
    () => all(async (query) => (await ask(api.get('/mqtt_sources', { params: { query } }))).mqtt_sources),
    { everyMs: 5_000 },
  );
  return (
    <Page
      title={t('MQTT sources')}
      lead={t('Your brokers. The platform connects to them and stores what they publish.')}
      actions={
        <a class="button primary" href={href('/sources/new')}>
          {t('New source')}
        </a>
      }
    >
      <Loaded resource={sources}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('No sources yet')}>
              <p>
                {t(
                  'Enter your MQTT broker and its topics. Sensors are created automatically, with units if the messages name them.',
                )}
              </p>
            </Empty>
          ) : (
            <List list={list} reload={sources.reload} />
          )
        }
      </Loaded>
    </Page>
  );
}

function List({ list, reload }: { list: readonly Source[]; reload: () => void }) {
  return (
    <Table<Source>
      caption={t('MQTT sources')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Source'),
          cell: ({ id, name, url, topics }) => (
            <div>
              <a class="strong breakable" href={href(`/sources/${id}`)}>
                {name}
              </a>
              <div class="small quiet breakable">
                {url}, {topics.slice(0, 3).join(', ')}
                {topics.length > 3 && ' …'}
              </div>
            </div>
          ),
        },
        { name: t('State'), cell: (source) => <State source={source} /> },
        {
          name: t('Last message'),
          cell: ({ id, last_message: last, unreadable, waiting, refused }) => (
            <div>
              {last === null ? <span class="quiet">{t('no message yet')}</span> : <span>{formatAge(last)}</span>}
              {unreadable > 0 && (
                <div class="small quiet">{many(unreadable, '{n} unreadable message', '{n} unreadable messages')}</div>
              )}
              {waiting > 0 && (
                <div class="small">
                  {many(waiting, '{n} message waits at the broker', '{n} messages wait at the broker')}
                </div>
              )}
              {refused > 0 && (
                <div class="small">
                  {many(refused, '{n} message refused by a limit', '{n} messages refused by a limit')}
                </div>
              )}
              <a class="small" href={href(`/sources/${id}/messages`)}>
                {t('Latest messages')}
              </a>
            </div>
          ),
        },
        { name: t('Actions'), right: true, cell: (source) => <Actions source={source} reload={reload} /> },
      ]}
    />
  );
}

/** The state of a source, with its latest problem. */
export function State({ source: { state, last_error: error } }: { source: Source }) {
  return (
    <div class="stack tight">
      <Status {...STATES[state]}>{t(STATES[state].text)}</Status>
      {error && <span class="small breakable">{error}</span>}
    </div>
  );
}

function Actions({ source: { id, name, enabled }, reload }: { source: Source; reload: () => void }) {
  const params = { path: { id } };
  return (
    <div class="actions">
      <Action
        kind="small-button"
        label={t(enabled ? 'Switch off {name}' : 'Switch on {name}', { name })}
        act={async () => {
          await ask(api.put('/mqtt_sources/{id}', { params, body: { mqtt_source: { enabled: !enabled } } }));
          reload();
        }}
      >
        {t(enabled ? 'Switch off' : 'Switch on')}
      </Action>
      <DeleteButton
        name={name}
        consequence={t('The platform disconnects from this broker. The sensors and their data stay.')}
        act={async () => {
          await ask(api.delete('/mqtt_sources/{id}', { params }));
          reload();
        }}
      />
    </div>
  );
}
