import { useEffect, useRef, useState } from 'preact/hooks';
import { all, api, ask } from '../../api';
import { formatCount } from '../../format';
import { many, t } from '../../language';
import { href } from '../../router';
import { useAction } from '../../ui/action';
import { Problem } from '../../ui/page';
import { useSensorNames } from '../names';
import { type Backtest, backtest, bodyOf, type Rule } from '../trigger/rule';
import { selectorOf } from '../trigger/selector';
import { AT_ONCE } from './run-effect';

const WEEK = 604_800;
const NAMED = 5;

/** How far the trial has come, and how often the rule would have fired on each sensor so far. */
interface Progress {
  tried: number;
  total: number;
  counts: ReadonlyMap<string, number>;
  /** True if a backtest ended early, so there may be more firings. */
  isCut: boolean;
}

/** Tries the rule on the last week of all sensors that it would watch, on request. */
export function TrialOfAll({ rule, sensors }: { rule: Rule; sensors: readonly string[] }) {
  const { busy, error, run } = useAction();
  const [progress, setProgress] = useState<Progress>();
  const abort = useRef(new AbortController());
  const key = JSON.stringify([rule, sensors]);
  useEffect(() => {
    setProgress(undefined);
    const own = new AbortController();
    abort.current = own;
    return () => own.abort();
  }, [key]);
  if (!bodyOf(rule)) return null;
  const start = () => {
    const { signal } = abort.current;
    return run(() =>
      tryOnAll(rule, sensors, signal, setProgress).catch((reason: unknown) => {
        if (!signal.aborted) throw reason;
      }),
    );
  };
  return (
    <div class="stack tight">
      <div class="line">
        <button type="button" class="button small-button" disabled={busy} onClick={start}>
          {t('How many would have fired last week?')}
        </button>
        {busy && progress && <progress max={progress.total} value={progress.tried} aria-label={t('Progress')} />}
      </div>
      {error !== undefined && <Problem error={error} />}
      <div aria-live="polite">{!busy && progress && <Outcome {...progress} />}</div>
    </div>
  );
}

async function tryOnAll(
  rule: Rule,
  sensors: readonly string[],
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<void> {
  const ids = [...new Set([...sensors, ...(await followedBy(rule))])];
  const to = Date.now() / 1000;
  const counts = new Map<string, number>();
  let isCut = false;
  for (let tried = 0; ; tried += AT_ONCE) {
    signal.throwIfAborted();
    report({ tried: Math.min(tried, ids.length), total: ids.length, counts, isCut });
    if (tried >= ids.length) return;
    const found: Backtest = await backtest(rule, ids.slice(tried, tried + AT_ONCE), { from: to - WEEK, to }, signal);
    for (const { sensor_id: id } of found.firings) counts.set(id, (counts.get(id) ?? 0) + 1);
    isCut ||= found.truncated || found.until < to - 1;
  }
}

/** The sensors that match the edited conditions at present. */
async function followedBy({ follows }: Rule): Promise<string[]> {
  const selector = selectorOf(follows);
  if (!selector) return [];
  const { filter, namespace } = selector;
  const found = await all(async (page) => {
    const query = { ...page, namespace, details: 'no' as const };
    return (await ask(api.post('/sensors/find', { params: { query }, body: { filter } }))).sensors;
  });
  return found.map(({ id }) => id);
}

function Outcome({ total, counts, isCut }: Progress) {
  const nameOf = useSensorNames();
  const firings = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const most = [...counts].sort(([, a], [, b]) => b - a);
  return (
    <>
      <p>
        <strong>
          {t('{fired} of {total} sensors would have fired last week,', { fired: counts.size, total })}{' '}
          {many(firings, 'once in all.', '{n} times in all.')}
        </strong>{' '}
        <span class="quiet">{isCut && t('There may be more: not all data was tried.')}</span>
      </p>
      <ul class="stack tight numbers">
        {most.slice(0, NAMED).map(([id, count]) => (
          <li key={id} class="line">
            <a href={href(`/sensors/${id}`)}>{nameOf({ id, name: '', display_name: '' })}</a>
            <span class="quiet">{formatCount(count)} ×</span>
          </li>
        ))}
        {most.length > NAMED && <li class="quiet">{t('and {n} more', { n: most.length - NAMED })}</li>}
      </ul>
    </>
  );
}
