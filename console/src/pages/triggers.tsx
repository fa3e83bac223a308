import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../api';
import { many, t } from '../language';
import { href } from '../router';
import { Search } from '../ui/filters';
import { Empty, Loaded, Page, Status } from '../ui/page';
import { SEVERITIES } from '../ui/severity';
import { State } from '../ui/state';
import { type Column, type Order, Table } from '../ui/table';
import { useResource } from '../use-resource';
import { loadTriggers } from './names';
import { ruleText } from './sensor/rule-text';

/** A rule, and how it is on its sensors. */
interface Rule {
  trigger: Records['TriggerView'];
  sensors: number;
  firing: number;
  /** The number of sensors on which it cannot be evaluated. */
  broken: number;
}

const STATES_MS = 15_000;
/** Number of rules above which they can be searched. */
const FEW = 10;

/** All rules of the user. */
export function TriggersPage() {
  const rules = useResource('triggers', load, { everyMs: STATES_MS });
  const newTrigger = (
    <a class="button primary" href={href('/triggers/new')}>
      {t('New trigger')}
    </a>
  );
  return (
    <Page title={t('Triggers')} lead={t('Rules that watch your sensors and notify you.')} actions={newTrigger}>
      <Loaded resource={rules}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('No triggers yet')}>
              <p>
                {t(
                  'A trigger watches sensors. It fires when a condition is met, such as “above 30 degrees”, or when no data arrives. Before you save it, you see when it would have fired on your own data.',
                )}
              </p>
              {newTrigger}
            </Empty>
          ) : (
            <List rules={list} />
          )
        }
      </Loaded>
    </Page>
  );
}

async function load(): Promise<Rule[]> {
  const [triggers, placed] = await Promise.all([
    loadTriggers(),
    all(async (query) => (await ask(api.get('/sensors/triggers', { params: { query } }))).triggers),
  ]);
  const rules = new Map(triggers.map((trigger) => [trigger.id, { trigger, sensors: 0, firing: 0, broken: 0 }]));
  for (const { id, active, state, last_error } of placed) {
    const rule = rules.get(id);
    if (!rule) continue;
    rule.sensors += 1;
    if (active && state === 'firing') rule.firing += 1;
    else if (active && last_error !== '') rule.broken += 1;
  }
  return [...rules.values()];
}

type Sortable = Column<Rule> & { sortBy?: (rule: Rule) => string | number };

function columns(): Sortable[] {
  return [
    {
      name: t('Trigger'),
      sort: 'name',
      sortBy: ({ trigger }) => trigger.name.toLowerCase(),
      cell: ({ trigger }) => (
        <div>
          <a class="strong" href={href(`/triggers/${trigger.id}`)}>
            {trigger.name}
          </a>
          <div class="quiet small breakable">{ruleText(trigger)}</div>
        </div>
      ),
    },
    {
      name: t('State'),
      sort: 'state',
      sortBy: (rule) =>
        rule.firing > 0 ? -rule.firing : rule.broken > 0 ? 1 : isUnheard(rule) ? 2 : rule.sensors > 0 ? 3 : 4,
      cell: (rule) => (
        <span class="tags">
          <StateOfRule {...rule} />
          {isUnheard(rule) && <Status kind="warn">{t('notifies nobody')}</Status>}
        </span>
      ),
    },
    {
      name: t('Severity'),
      sort: 'severity',
      sortBy: ({ trigger }) => SEVERITIES.indexOf(trigger.severity),
      cell: ({ trigger }) => <State of={trigger.severity} />,
    },
    {
      name: t('Sensors'),
      right: true,
      sort: 'sensors',
      sortBy: ({ sensors }) => sensors,
      cell: ({ sensors }) => <span class="nowrap">{many(sensors, '{n} sensor', '{n} sensors')}</span>,
    },
  ];
}

function isUnheard({ trigger }: Rule): boolean {
  return trigger.notification_count === 0;
}

function StateOfRule({ firing, broken, sensors, trigger }: Rule) {
  if (firing > 0) return <State of={trigger.severity}>{many(firing, '{n} firing|one', '{n} firing')}</State>;
  if (broken > 0) return <State of="broken" />;
  return sensors > 0 ? <State of="ok" /> : <Status>{t('watches nothing')}</Status>;
}

function List({ rules }: { rules: readonly Rule[] }) {
  const [text, setText] = useState('');
  const [order, setOrder] = useState<Order>('');
  const all = columns();
  const found = rules.filter(({ trigger }) => trigger.name.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <div class="stack">
      {rules.length > FEW && (
        <Search label={t('Find triggers')} placeholder={t('Name')} value={text} onValue={setText} />
      )}
      <Table<Rule>
        caption={t('Triggers')}
        rows={inOrder(found, all, order)}
        keyOf={({ trigger }) => trigger.id}
        columns={all}
        order={order}
        onOrder={setOrder}
      />
    </div>
  );
}

function inOrder(rules: readonly Rule[], all: readonly Sortable[], order: Order): readonly Rule[] {
  const { sortBy } = all.find(({ sort }) => sort !== undefined && order.endsWith(sort)) ?? {};
  if (!sortBy) return rules;
  const sign = order.startsWith('-') ? -1 : 1;
  return [...rules].sort((a, b) => {
    const [one, other] = [sortBy(a), sortBy(b)];
    return one < other ? -sign : one > other ? sign : 0;
  });
}
