import { api, ask, type Records, sentence } from '../../api';
import { formatAge, formatCount, formatDate, formatDuration, formatList } from '../../format';
import { many, t } from '../../language';
import { DangerButton, DialogButton } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { Loaded, Section, Status } from '../../ui/page';
import { Table } from '../../ui/table';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';
import { decisionOf, type Rule } from '../trigger/rule';
import { alertsOf } from '../trigger/save';
import { changeText } from '../trigger/words';
import { ChangedAlerts, type Compared, EpisodeRows } from './episodes';

type Shadow = Awaited<ReturnType<typeof loadReport>>;

const REPORT_MS = 15_000;

interface CardProps {
  id: string;
  rule: Rule;
  /** As loaded with the trigger. */
  shadow: Shadow;
  onSwitched: (trigger: Records['VersionedTriggerView']) => void;
  /** Puts the rule of the shadow into the form. */
  onUse: (rule: Rule) => void;
  onEnded: () => void;
}

/** The report of a shadow, with what it leaves out. */
export async function loadReport(id: string, signal: AbortSignal) {
  const { shadow, warning } = await ask(api.get('/triggers/{id}/shadow', { params: { path: { id } }, signal }));
  return { ...shadow, warning };
}

/** The report of a shadow, and what to do with the shadow. */
export function ShadowCard(props: CardProps) {
  const { id, shadow: known } = props;
  const shadow = useResource(`shadow ${id} ${known.since}`, (signal) => loadReport(id, signal), {
    everyMs: known.ended === null ? REPORT_MS : undefined,
    known,
  });
  return <Loaded resource={shadow}>{(loaded) => <Card {...props} shadow={loaded} />}</Loaded>;
}

function Card(props: CardProps) {
  const { rule, shadow } = props;
  const { since, until, ended, changed, text, untried, truncated, warning } = shadow;
  const next = { ...rule, ...decisionOf(shadow.trigger) };
  const compared = fromLive(shadow.comparison);
  return (
    <Section title={t('Trial of the changed rule')} actions={<Buttons {...props} next={next} />}>
      <div class="stack">
        <p>
          <strong>{sentence(text)}</strong>{' '}
          <Status kind={ended === null ? 'good' : undefined}>
            {ended === null ? t('ends {age}', { age: formatAge(until) }) : t('ended {age}', { age: formatAge(ended) })}
          </Status>
        </p>
        <p class="quiet breakable">
          {t('Since {date}, next to the saved rule: {changes}', {
            date: formatDate(since),
            changes: formatList(changed.map((field) => changeText(field, rule, next))),
          })}
        </p>
        {(untried > 0 || truncated) && (
          <p class="message warn">
            {truncated
              ? t('There are more than 10,000 alerts: the report is about the earliest.')
              : many(
                  untried,
                  '{n} value was left out, because your computing time was used up.',
                  '{n} values were left out, because your computing time was used up.',
                )}
          </p>
        )}
        {warning && <p class="quiet">{sentence(warning)}</p>}
        <NumbersTable live={shadow.comparison.summary} shadow={shadow.summary} />
        <EpisodeRows
          compared={compared}
          names={[t('Saved rule'), t('Changed rule')]}
          range={{ from: since, to: Math.min(ended ?? until, Date.now() / 1000) }}
          margin={0}
        />
        <ChangedAlerts compared={compared} />
      </div>
    </Section>
  );
}

/** The report compares the shadow with the saved rule; here the saved rule comes first. */
function fromLive({ both, only_this, only_other }: Compared): Compared {
  return {
    both: both.map(({ sensor_id, date, ended, later, other_ended }) => ({
      ...{ sensor_id, date: date + later, ended: other_ended, later: -later, other_ended: ended },
    })),
    only_this: only_other,
    only_other: only_this,
  };
}

type Summary = Records['BacktestSummaryView'];

function NumbersTable({ live, shadow }: { live: Summary; shadow: Summary }) {
  const number = (name: string, of: (summary: Summary) => string) => ({
    ...{ name, right: true, isNamed: true },
    cell: ({ summary }: { summary: Summary }) => of(summary),
  });
  return (
    <Table
      caption={t('Saved and changed rule in numbers')}
      isCompact
      rows={[
        { name: t('Saved rule'), summary: live },
        { name: t('Changed rule'), summary: shadow },
      ]}
      keyOf={({ name }) => name}
      columns={[
        { name: t('Rule'), cell: ({ name }) => <strong>{name}</strong> },
        number(t('Alerts'), ({ episodes }) => formatCount(episodes)),
        number(t('Messages'), ({ deliveries }) => formatCount(deliveries)),
        number(t('At night'), (one) => formatCount(one.at_night)),
        number(t('Median duration'), (one) =>
          one.median_duration === null ? '–' : formatDuration(one.median_duration),
        ),
      ]}
    />
  );
}

function Buttons({ id, shadow, next, onSwitched, onUse, onEnded }: CardProps & { next: Rule }) {
  const path = { id };
  const end = async () => {
    await ask(api.delete('/triggers/{id}/shadow', { params: { path } }));
    onEnded();
  };
  const change = async () => {
    const { trigger, fires, ...rest } = await ask(api.post('/triggers/{id}/shadow/switch', { params: { path } }));
    const fired = fires > 0 ? many(fires, '{n} alert fires.', '{n} alerts fire.') : '';
    say([t('The changed rule is in force.'), alertsOf(rest), fired].filter(Boolean).join(' '));
    onSwitched(trigger);
  };
  return (
    <>
      {shadow.ended === null ? (
        <DialogButton
          text={t('Use the changed rule …')}
          title={t('Use the changed rule from now on?')}
          kind="primary small-button"
        >
          {(close) => (
            <Form
              label={t('Use the changed rule')}
              onCancel={close}
              submit={async () => {
                await change();
                close();
              }}
            >
              <p>{t('The changed rule becomes the rule of the trigger, as a new version. The trial ends.')}</p>
              {shadow.on_switch && <Consequences {...shadow.on_switch} />}
            </Form>
          )}
        </DialogButton>
      ) : (
        <button type="button" class="button small-button" onClick={() => onUse(next)}>
          {t('Put it into the form')}
        </button>
      )}
      <DangerButton
        text={t(shadow.ended === null ? 'End|verb' : 'Remove')}
        title={t('Remove the trial and its report?')}
        consequence={t('The rule of the trigger stays as it is, and so do its alerts.')}
        kind="danger small-button"
        act={end}
      />
    </>
  );
}

/** What a switch does to the open alerts. */
function Consequences({ kept: inBoth, ended: ends, fires }: NonNullable<Shadow['on_switch']>) {
  if (inBoth + fires + ends === 0) return <p>{t('No alert is open: nobody is notified.')}</p>;
  return (
    <ul class="stack tight">
      {inBoth > 0 && (
        <li>
          {many(
            inBoth,
            '{n} alert is open under both rules: it continues without a message.',
            '{n} alerts are open under both rules: they continue without a message.',
          )}
        </li>
      )}
      {fires > 0 && (
        <li>
          {many(
            fires,
            '{n} alert is open only under the changed rule: it fires now.',
            '{n} alerts are open only under the changed rule: they fire now.',
          )}
        </li>
      )}
      {ends > 0 && (
        <li>
          {many(
            ends,
            '{n} alert is open only under the saved rule: it ends.',
            '{n} alerts are open only under the saved rule: they end.',
          )}
        </li>
      )}
    </ul>
  );
}
