import { all, api, ask } from '../api';
import { formatAge, formatMany } from '../format';
import { href } from '../router';
import { Action } from '../ui/action';
import { DangerButton } from '../ui/dialog';
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
      title="MQTT sources"
      lead="Your brokers: the platform connects to them, and stores what they publish."
      actions={
        <a class="button primary" href={href('/sources/new')}>
          New source
        </a>
      }
    >
      <Loaded resource={sources}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No sources yet">
              <p>
                Name your MQTT broker and the topics that matter. Sensors appear by themselves, with their units if the
                messages name them.
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
      caption="MQTT sources"
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Source',
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
        { name: 'State', cell: (source) => <State source={source} /> },
        {
          name: 'Last message',
          cell: ({ last_message: last, unreadable }) => (
            <div>
              {last === null ? <span class="quiet">no message yet</span> : formatAge(last)}
              {unreadable > 0 && <div class="small quiet">{formatMany(unreadable, 'unreadable message')}</div>}
            </div>
          ),
        },
        { name: 'Actions', right: true, cell: (source) => <Actions source={source} reload={reload} /> },
      ]}
    />
  );
}

/** The state of a source, with its latest problem. */
function State({ source: { state, last_error: error } }: { source: Source }) {
  return (
    <div class="stack tight">
      <Status {...STATES[state]}>{state}</Status>
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
        label={`Switch ${enabled ? 'off' : 'on'} ${name}`}
        act={async () => {
          await ask(api.put('/mqtt_sources/{id}', { params, body: { mqtt_source: { enabled: !enabled } } }));
          reload();
        }}
      >
        Switch {enabled ? 'off' : 'on'}
      </Action>
      <DangerButton
        text="Delete"
        kind="danger small-button"
        label={`Delete ${name}`}
        title={`Delete ${name}?`}
        consequence="The platform no longer listens to this broker. The sensors stay, with their data."
        act={async () => {
          await ask(api.delete('/mqtt_sources/{id}', { params }));
          reload();
        }}
      />
    </div>
  );
}
