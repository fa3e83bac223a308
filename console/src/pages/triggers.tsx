import { all, api, ask, type Records } from '../api';
import { many, t } from '../language';
import { href } from '../router';
import { Empty, Loaded, Page } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { ruleOf } from './sensor/triggers';

type Trigger = Records['TriggerView'];

/** All rules of the user. */
export function TriggersPage() {
  const triggers = useResource('triggers', load);
  const newTrigger = (
    <a class="button primary" href={href('/triggers/new')}>
      {t('New trigger')}
    </a>
  );
  return (
    <Page title={t('Triggers')} lead={t('Rules that watch your sensors and notify you.')} actions={newTrigger}>
      <Loaded resource={triggers}>
        {({ rules, sensors }) =>
          rules.length === 0 ? (
            <Empty title={t('No triggers yet')}>
              <p>
                {t(
                  'A trigger watches sensors. It fires when a condition is met, such as “above 30 degrees”, or when no data arrives. Before you save it, you see when it would have fired on your own data.',
                )}
              </p>
              {newTrigger}
            </Empty>
          ) : (
            <List rules={rules} sensors={sensors} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** The rules, with their numbers of sensors. */
async function load() {
  const [rules, placed] = await Promise.all([
    all(async (query) => (await ask(api.get('/triggers', { params: { query } }))).triggers),
    all(async (query) => (await ask(api.get('/sensors/triggers', { params: { query } }))).triggers),
  ]);
  const sensors = new Map<string, number>();
  for (const { id } of placed) sensors.set(id, (sensors.get(id) ?? 0) + 1);
  return { rules, sensors };
}

function List({ rules, sensors }: Awaited<ReturnType<typeof load>>) {
  return (
    <Table<Trigger>
      caption={t('Triggers')}
      rows={rules}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Trigger'),
          cell: (trigger) => (
            <a class="strong" href={href(`/triggers/${trigger.id}`)}>
              {trigger.name}
            </a>
          ),
        },
        { name: t('Fires'), cell: (trigger) => <code class="breakable">{ruleOf(trigger)}</code> },
        { name: t('On'), right: true, cell: ({ id }) => many(sensors.get(id) ?? 0, '{n} sensor', '{n} sensors') },
      ]}
    />
  );
}
