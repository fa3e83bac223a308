import { api, ask, type Records } from '../api';
import { formatAge, formatDate, formatDuration, formatValue, sensorName } from '../format';
import { many, type PlainText, t } from '../language';
import { href } from '../router';
import { Empty, Loaded, Page, Section, Status } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { triggerNameOf } from './deliveries/summary';
import { chartPath, dateOf, valueText } from './sensor/firings';
import { ruleText } from './sensor/rule-text';
import { StateOf } from './sensor/triggers';

type Decision = Records['DecisionView'];
type Firing = Records['FiringView'];

const REASONS: Record<string, PlainText> = {
  fired: 'the condition was true',
  'inactive-sensor': 'no data arrived',
  false: 'the condition was false',
  'once-a-minute': 'true, but it had fired within the last minute',
  'no-previous-value': 'the first value: there was none to compare it with',
  'cannot-be-evaluated': 'cannot be evaluated',
  late: 'late, as a newer point had already been evaluated',
  'too-far-ahead': 'dated more than an hour ahead',
  'no-expression': 'it has no condition',
  inactive: 'paused',
  'not-due': 'data arrived in time',
  pending: 'true, but not for long enough yet',
  resolved: 'false again, so the episode ended',
  muted: 'muted, so no notification was sent',
  acknowledged: 'true, and acknowledged: no repeat',
  'keeps-firing': 'no longer true, but the end is not reached yet',
  'held-back': 'true, in an episode that has been reported',
};

/** The latest decisions of a trigger, each with its variables. */
export function WhyPage({ id, trigger }: { id: string; trigger: string }) {
  const found = useResource(`why ${id} ${trigger}`, (signal) => load(id, trigger, signal), { everyMs: 5_000 });
  const { data } = found;
  const rule = data && shownRule(data);
  return (
    <Page
      title={rule?.name ? t(rule.isFiring ? 'Why “{name}” fires' : 'Why “{name}” does not fire', rule) : t('Why?')}
      crumb={{ path: `/sensors/${id}`, name: data ? sensorName(data.sensor) : t('Sensor') }}
      lead={rule?.name && <span class="breakable">{ruleText({ ...rule, ...data?.decisions[0] }, data?.sensor)}</span>}
      actions={
        data?.rule && (
          <a class="button" href={href(`/triggers/${trigger}?sensor=${id}`)}>
            {t('Edit the trigger')}
          </a>
        )
      }
    >
      <Loaded resource={found}>
        {(why) => (
          <>
            <div class="stack tight">
              <strong>{answerOf(why)}</strong>
              {why.rule && <StateOf trigger={why.rule} />}
              {heldText(why)}
            </div>
            <Section title={t('Latest decisions')}>
              <Decisions {...why} />
            </Section>
            <Section title={t('Latest firings')}>
              <Firings {...why} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Users with whom the sensor is shared see decisions and firings, and not the trigger. */
async function load(id: string, trigger: string, signal: AbortSignal) {
  const path = { id, trigger_id: trigger };
  const latest = { sort: 'DESC' as const, per_page: 20 };
  const [{ sensor }, { decisions }] = await Promise.all([
    ask(api.get('/sensors/{id}', { params: { path: { id } }, signal })),
    ask(api.get('/sensors/{id}/triggers/{trigger_id}/decisions', { params: { path }, signal })),
  ]);
  if (sensor.owner) {
    const query = { ...latest, sensor_id: id, trigger_id: trigger };
    const { firings } = await ask(api.get('/firings', { params: { query }, signal }));
    return { sensor, rule: undefined, decisions, firings };
  }
  const [{ trigger: rule }, { firings }] = await Promise.all([
    ask(api.get('/sensors/{id}/triggers/{trigger_id}', { params: { path }, signal })),
    ask(api.get('/sensors/{id}/triggers/{trigger_id}/firings', { params: { path, query: latest }, signal })),
  ]);
  return { sensor, rule, decisions, firings };
}

type Found = Awaited<ReturnType<typeof load>>;

/** The trigger as far as the user sees it. */
function shownRule({ rule, firings: [firing] }: Found) {
  const isFiring = rule ? rule.state === 'firing' : firing?.ended === null;
  const of = rule ?? firing;
  const name = rule?.name ?? firing?.trigger_name ?? '';
  return { isFiring, name, expression: of?.expression ?? null, inactivity: of?.inactivity ?? null };
}

function heldText({ firings: [firing] }: Found) {
  const by = firing?.ended === null && firing.held_by;
  return by && t('held by “{name}”, {date}', { name: triggerNameOf(by), date: formatAge(by.since) });
}

/** The latest firing while it fires, otherwise the latest decision, in a sentence; empty without any. */
function answerOf(why: Found): string {
  const {
    sensor,
    decisions: [decision],
    firings: [firing],
  } = why;
  if (shownRule(why).isFiring && firing) {
    const value = firing.reason === 'inactivity' ? '' : valueText(firing, sensor);
    return t('It fired: {why} ({facts}).', { why: causeOf(firing), facts: factsOf(value, firing) });
  }
  if (!decision) return '';
  const said = { why: whyOf(decision), facts: factsOf(decidedValue(decision, sensor), decision) };
  return t(decision.fired ? 'It fired: {why} ({facts}).' : 'It did not fire: {why} ({facts}).', said);
}

function factsOf(value: string, { date }: { date: number }): string {
  return [value, formatAge(date)].filter(Boolean).join(', ');
}

function decidedValue({ value }: Decision, sensor: Found['sensor']): string {
  return value === null ? '' : formatValue(value, sensor);
}

/** The number of rows that are shown at first, so that what follows is in sight. */
const FEW = 10;

function Decisions({ decisions, sensor }: Found) {
  if (decisions.length === 0) {
    return (
      <Empty title={t('No decisions yet')}>
        <p>{t('Each new value of the sensor leads to a decision. The last hundred are kept.')}</p>
      </Empty>
    );
  }
  return (
    <Table<Decision>
      caption={t('Latest decisions')}
      rows={decisions}
      most={FEW}
      keyOf={(one) => `${one.date} ${one.value_date} ${one.reason}`}
      columns={[
        {
          name: t('Outcome'),
          cell: (one) => (
            <div class="line">
              <Status kind={one.error ? 'bad' : one.fired ? 'warn' : undefined}>
                {t(one.fired ? 'fired' : 'did not fire')}
              </Status>
              <span class="small quiet breakable">{whyOf(one)}</span>
            </div>
          ),
        },
        { name: t('Value'), cell: (one) => <span class="numbers">{decidedValue(one, sensor) || '–'}</span> },
        { name: t('When'), cell: (one) => <span title={formatDate(one.date)}>{formatAge(one.date)}</span> },
        { name: t('Variables'), cell: (one) => <Variables of={one.variables} /> },
      ]}
    />
  );
}

function Firings({ firings, sensor }: Found) {
  if (firings.length === 0) return <p class="quiet">{t('It has not fired on this sensor.')}</p>;
  return (
    <Table<Firing>
      caption={t('Latest firings')}
      rows={firings}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('When'),
          cell: (firing) => <a href={href(chartPath(firing.sensor_id, dateOf(firing)))}>{formatDate(firing.date)}</a>,
        },
        { name: t('Value'), cell: (firing) => <span class="numbers">{valueText(firing, sensor)}</span> },
        { name: t('Because'), cell: causeOf },
        { name: t('Variables'), cell: ({ variables }) => <Variables of={variables} /> },
      ]}
    />
  );
}

/** The variables of a decision, collapsed because there are many. */
function Variables({ of }: { of: object }) {
  const shown = Object.entries(of).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <details>
      <summary class="small quiet">{many(shown.length, '{n} variable', '{n} variables')}</summary>
      <dl class="facts small">
        {shown.map(([name, value]) => (
          <>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              {/date|time$|last_triggered/.test(name) && Number(value) > 1e8 ? formatDate(Number(value)) : text(value)}
            </dd>
          </>
        ))}
      </dl>
    </details>
  );
}

function whyOf({ error, reason, hold }: Decision): string {
  return error || reasonText(reason, hold);
}

function causeOf({ reason, hold }: Firing): string {
  return reasonText(reason === 'inactivity' ? 'inactive-sensor' : 'fired', hold);
}

/** Why it fired or not, and how long the condition had held. */
function reasonText(reason: string, hold: number): string {
  const text = REASONS[reason];
  const why = text ? t(text) : reason;
  return hold && reason === 'fired' ? `${why}, ${t('held for {time}', { time: formatDuration(hold) })}` : why;
}

function text(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
