import { all, api, ask, type Records } from '../api';
import { formatMany } from '../format';
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
      New trigger
    </a>
  );
  return (
    <Page title="Triggers" lead="Rules that send mails or call URLs." actions={newTrigger}>
      <Loaded resource={triggers}>
        {({ rules, sensors }) =>
          rules.length === 0 ? (
            <Empty title="No triggers yet">
              <p>
                A trigger watches sensors: it fires when a condition holds, “above 30 degrees” for instance, or when no
                data comes. You see on your own data when it would have fired, before you save it.
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
      caption="Triggers"
      rows={rules}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Trigger',
          cell: (trigger) => (
            <a class="strong" href={href(`/triggers/${trigger.id}`)}>
              {trigger.name}
            </a>
          ),
        },
        { name: 'Fires', cell: (trigger) => <code class="breakable">{ruleOf(trigger)}</code> },
        { name: 'On', right: true, cell: ({ id }) => formatMany(sensors.get(id) ?? 0, 'sensor') },
      ]}
    />
  );
}
