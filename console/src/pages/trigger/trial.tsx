import { useMemo, useState } from 'preact/hooks';
import { sentence } from '../../api';
import type { Bound } from '../../chart/bound-lines';
import type { Extent, Range } from '../../chart/load';
import type { Threshold } from '../../chart/marks';
import type { AreaProps } from '../../chart/plot-area';
import { SensorChart } from '../../chart/sensor-chart';
import type { Charted } from '../../chart/shape';
import { useView } from '../../chart/view';
import { formatDate, formatDuration, formatValue } from '../../format';
import { many, t } from '../../language';
import { Problem } from '../../ui/page';
import type { Change } from '../changes/effect';
import { Effect } from '../forms';
import type { Labels } from './built-rule';
import { type Recipient, recipientsOn, type Step } from './escalation';
import { type Backtest, backtest, bodyOf, decidingOf, type Mistake, type Rule } from './rule';
import { useTried } from './use-tried';

const SETTLE_MS = 350;
const LISTED = 8;

/** A sensor to try the rule on. */
export interface TrialSensor extends Charted {
  /** As set by a program or a person. */
  dataType: string;
  extent: Extent;
  labels: Labels;
}

/** The backtest of the rule on stored data, drawn on the chart while the user types. */
export function Trial({
  sensor,
  rule,
  steps,
  bounds,
  thresholds,
  change,
  onMistake,
}: {
  sensor: TrialSensor;
  rule: Rule;
  /** As edited. */
  steps: readonly Step[];
  /** Lines that the user can move. */
  bounds: readonly Bound[];
  /** Lines at the labels of the sensor. */
  thresholds: readonly Threshold[];
  /** Set if the rule of a saved trigger is changed: its effect is shown as well. */
  change: Change | undefined;
  onMistake: (mistake: Mistake | undefined) => void;
}) {
  const [initial] = useState(() => lastMonth(sensor.extent));
  const view = useView(initial);
  const [under, setUnder] = useState<AreaProps['under']>();
  const recipients = recipientsOn(steps, sensor.id);
  const { result, error } = useBacktest(sensor.id, rule, recipients, view.range, view.span, onMistake);
  const marks = useMemo(() => (result?.firings ?? []).map(({ date }) => ({ date, kind: 'trial' as const })), [result]);
  return (
    <div class="stack">
      <SensorChart
        sensors={[sensor]}
        extent={sensor.extent}
        height={260}
        {...{ view, marks, bounds, thresholds, under }}
      />
      {error !== undefined && <Problem error={error} />}
      {change && (
        <Effect {...change} {...{ rule, onMistake }} sensor={sensor.id} onUnder={(next) => setUnder(() => next)} />
      )}
      <div aria-live="polite">
        {result && (
          <Outcome
            {...{ result, sensor }}
            range={view.range}
            notifies={recipients.length > 0}
            isChange={change !== undefined}
          />
        )}
      </div>
    </div>
  );
}

/** The month before the last point. */
function lastMonth({ from, to }: Range): Range {
  const start = Math.max(from, to - 2_592_000);
  const margin = Math.max(30, (to - start) * 0.02);
  return { from: start - margin, to: Math.max(to, Math.min(to + margin, Date.now() / 1000)) };
}

function useBacktest(
  id: string,
  rule: Rule,
  recipients: Recipient[],
  range: Range,
  span: number | undefined,
  onMistake: (mistake: Mistake | undefined) => void,
) {
  const key = JSON.stringify([id, decidingOf(rule), rule.dependsOn, recipients, span ?? [range.from, range.to]]);
  const run = bodyOf(rule) && ((signal: AbortSignal) => backtest(rule, [id], range, signal, recipients));
  return useTried(key, { run, settleMs: SETTLE_MS, onMistake });
}

function Outcome({
  result,
  sensor,
  range,
  notifies,
  isChange,
}: {
  result: Backtest;
  sensor: TrialSensor;
  range: Range;
  /** False if no notification takes part. */
  notifies: boolean;
  /** The alerts of a change are listed elsewhere. */
  isChange: boolean;
}) {
  const { firings, points, truncated, last_error: lastError, until, summary, warning } = result;
  const { to, last } = sensor.extent;
  const isFiring = firings.at(-1)?.ended === null;
  const n = firings.length;
  return (
    <div class="stack">
      <p>
        <span class="legend-item">
          <span class="swatch trial" />
          <strong>{oftenText(n, truncated)}</strong>
        </span>{' '}
        <span class="quiet">
          {many(points, 'in these {duration} ({n} point).', 'in these {duration} ({n} points).', {
            duration: formatDuration(range.to - range.from),
          })}{' '}
          {notifies && messagesText(summary)}
        </span>
      </p>
      {until >= to && !truncated && (
        <p class={isFiring ? 'message warn' : 'quiet'}>
          {t(
            isFiring
              ? 'It would be firing now: the last value is {value}. Once saved, it starts with the next value.'
              : 'It would not be firing now: the last value is {value}.',
            { value: formatValue(last, sensor) },
          )}
        </p>
      )}
      {lastError && <p class="message warn">{t('Some points cannot be evaluated: {error}.', { error: lastError })}</p>}
      {warning && notifies && !isChange && <p class="quiet">{sentence(warning)}</p>}
      {n > 0 && !isChange && (
        <ul class="stack tight numbers">
          {firings.slice(0, LISTED).map((firing) => (
            <li key={`${firing.date} ${firing.reason}`} class="line">
              <span>{formatDate(firing.date)}</span>
              <span class="quiet">{firing.value === null ? t('no data') : formatValue(firing.value, sensor)}</span>
            </li>
          ))}
          {n > LISTED && <li class="quiet">{t('and {n} more', { n: n - LISTED })}</li>}
        </ul>
      )}
    </div>
  );
}

function messagesText({ deliveries, at_night: night }: Backtest['summary']): string {
  if (deliveries === 0) return t('No message.');
  return many(deliveries, '{n} message, {night} at night.', '{n} messages, {night} of them at night.', { night });
}

function oftenText(n: number, isTruncated: boolean): string {
  if (n === 0) return t('It would not have fired');
  if (isTruncated) return t('It would have fired at least {n} times', { n });
  return many(n, 'It would have fired once', 'It would have fired {n} times');
}
