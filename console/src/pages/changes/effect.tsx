import { useEffect, useState } from 'preact/hooks';
import { api, ask, type Records, sentence } from '../../api';
import type { AreaProps } from '../../chart/plot-area';
import { formatDate, formatDuration } from '../../format';
import { t } from '../../language';
import { Action } from '../../ui/action';
import { Choices } from '../../ui/form';
import { Problem } from '../../ui/page';
import { say } from '../../ui/toast';
import { decidingOf, type Mistake, type Rule } from '../trigger/rule';
import { useTried } from '../trigger/use-tried';
import { ChangedAlerts, EpisodeRows, numbersText } from './episodes';
import { AT_ONCE, type Effect as Found, runEffect } from './run-effect';

const SETTLE_MS = 500;
const WEEK_DAYS = 7;

/** A saved trigger whose rule is edited. */
export interface Change {
  id: string;
  saved: Rule;
  sensors: readonly string[];
  /** A trigger has one shadow at most. */
  hasShadow: boolean;
  onShadow: () => void;
  /** Gets the numbers of the effect in words; empty while there are none. */
  onText: (text: string) => void;
}

interface EffectProps extends Change {
  rule: Rule;
  /** The sensor of the chart. */
  sensor: string;
  onMistake: (mistake: Mistake | undefined) => void;
  onUnder: (under: AreaProps['under']) => void;
}

/** What the edited rule would have changed in the last 30 days: alerts, messages, and who is woken. */
export function Effect(props: EffectProps) {
  const { sensor, sensors, onUnder, onText } = props;
  const [isAll, setAll] = useState(sensors.length <= AT_ONCE);
  const tried = isAll && sensors.length > 0 ? sensors : [sensor];
  const { result: found, error, progress } = useEffectOf(props, tried);
  const isRunning = progress !== undefined;
  useEffect(() => {
    onText(found ? numbersText(found.changed, found.saved) : '');
    if (!found) return onUnder(undefined);
    const here = <T extends { sensor_id: string }>(all: readonly T[]) => all.filter((one) => one.sensor_id === sensor);
    const { both, only_this, only_other } = found;
    const compared = { both: here(both), only_this: here(only_this), only_other: here(only_other) };
    onUnder((range, gutter) => <EpisodeRows names={NAMES} {...{ compared, range, gutter }} />);
  }, [found, sensor]);
  useEffect(
    () => () => {
      onUnder(undefined);
      onText('');
    },
    [],
  );
  return (
    <section class="stack" aria-labelledby="effect">
      <div class="line spread">
        <h3 id="effect">{t('Effect on the last 30 days')}</h3>
        {sensors.length > 1 && (
          <Choices<'one' | 'all'>
            label={t('Sensors')}
            value={isAll ? 'all' : 'one'}
            options={[
              ['one', t('This sensor')],
              ['all', t('All {n} sensors', { n: sensors.length })],
            ]}
            onValue={(chosen) => setAll(chosen === 'all')}
          />
        )}
      </div>
      {error !== undefined && !isRunning && <Problem error={error} />}
      <div aria-busy={isRunning} class={isRunning ? 'outdated' : ''}>
        {isRunning && <Running of={tried.length} tried={progress} />}
        {found && <Outcome {...found} />}
      </div>
      <ShadowStart {...props} />
    </section>
  );
}

const NAMES = [t('Saved rule'), t('Changed rule')] as const;

function useEffectOf({ id, rule, onMistake }: EffectProps, sensors: readonly string[]) {
  const key = JSON.stringify([id, rule.name, decidingOf(rule), rule.dependsOn, sensors]);
  const run = (signal: AbortSignal, report: (progress: number) => void) => runEffect(id, rule, sensors, signal, report);
  return useTried<Found>(key, { run, settleMs: SETTLE_MS, onMistake });
}

function Running({ of, tried }: { of: number; tried: number }) {
  return (
    <p class="line quiet" role="status">
      {t('Both rules are tried …')}
      {of > AT_ONCE && <progress max={of} value={tried} aria-label={t('Progress')} />}
    </p>
  );
}

function Outcome(found: Found) {
  const { saved, changed, both, only_other, points, until, isCut, lastError, warning } = found;
  const open = [...both.map((one) => one.other_ended), ...only_other.map((one) => one.ended)];
  const latest = Math.max(0, ...both.map(({ later }) => later));
  const n = open.filter((ended) => ended === null).length;
  if (points === 0) return <p class="quiet">{t('There is no data of the last 30 days.')}</p>;
  return (
    <div class="stack">
      <p role="status">
        <strong>{numbersText(changed, saved)}</strong>{' '}
        {latest > 0 && t('The others begin up to {time} later.', { time: formatDuration(latest) })}{' '}
        {n > 0 && t('{n} of them would be open now.', { n })}
      </p>
      {isCut && (
        <p class="message warn">
          {t(
            'A backtest ends after 10 seconds or a million decisions: all data until {date} was tried. Fewer sensors get further.',
            { date: formatDate(until) },
          )}
        </p>
      )}
      {lastError && <p class="message warn">{t('Some points cannot be evaluated: {error}.', { error: lastError })}</p>}
      {warning && <p class="quiet">{sentence(warning)}</p>}
      <ChangedAlerts compared={found} />
    </div>
  );
}

function ShadowStart({ id, saved, rule, hasShadow, onShadow }: EffectProps) {
  if (hasShadow) return <p class="quiet small">{t('Another change is on trial. End that trial to try this one.')}</p>;
  const start = async () => {
    const body = { shadow: { ...changedFields(saved, rule), days: WEEK_DAYS } };
    await ask(api.post('/triggers/{id}/shadow', { params: { path: { id } }, body }));
    say(t('The changed rule is tried for a week. It sends nothing.'));
    onShadow();
  };
  return (
    <div class="line">
      <Action act={start}>{t('Try it for a week without messages')}</Action>
      <span class="small quiet">{t('It runs next to the saved rule, and sends nothing.')}</span>
    </div>
  );
}

/** Fields that a rule leaves out if it has none. */
const NONE = { expression: null, inactivity: 0 };

/** The fields of the rule that differ, in the form of the API. */
function changedFields(saved: Rule, rule: Rule): Partial<Records['TriggerChanges']> {
  const before: Record<string, unknown> = { ...NONE, ...decidingOf(saved) };
  const after = Object.entries({ ...NONE, ...decidingOf(rule) });
  return Object.fromEntries(after.filter(([name, value]) => value !== before[name]));
}
