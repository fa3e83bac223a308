import { useMemo } from 'preact/hooks';
import { formatDate, formatDuration } from '../../format';
import { many, t } from '../../language';
import { State } from '../../ui/state';
import { useResource } from '../../use-resource';
import { loadTriggers } from '../names';
import { ruleText } from '../sensor/rule-text';
import type { Sensor } from '../sensors/load';
import type { Report } from './load';

/** What the reports say together, the limits that they are about, and when they were made. */
export function ReportSummary({
  sensors,
  reports,
}: {
  sensors: readonly Sensor[];
  reports: ReadonlyMap<string, Report>;
}) {
  const triggers = useResource('triggers', loadTriggers).data ?? [];
  const created = useMemo(() => formatDate(Date.now() / 1000), [reports]);
  const periods = [...reports.values()].flatMap((report) => report.periods);
  const sum = (of: (period: Report['periods'][number]) => number) => periods.reduce((all, one) => all + of(one), 0);
  const [alerts, known] = [sum((one) => one.alerts), sum((one) => one.acknowledged)];
  const [gaps, outside] = [sum((one) => one.gaps), sum((one) => one.outside)];
  const used = new Set(periods.flatMap(({ limits }) => limits.map(({ trigger_id: id }) => id)));
  const limits = triggers.filter(({ id }) => used.has(id));
  const facts = [
    many(reports.size, '{n} sensor', '{n} sensors'),
    many(alerts, '{n} alert began', '{n} alerts began'),
    alerts > 0 && known === 0 && t('{n} of them acknowledged', { n: 0 }),
    used.size > 0 && t('{time} outside of limits', { time: formatDuration(outside) }),
    gaps === 0 && many(0, '{n} gap', '{n} gaps'),
  ];
  return (
    <div class="stack tight">
      <div class="line">
        <p class="strong">{facts.filter(Boolean).join(' · ')}</p>
        {known > 0 && <State of="acknowledged">{t('{n} of them acknowledged', { n: known })}</State>}
        {gaps > 0 && <State of="inactive">{many(gaps, '{n} gap', '{n} gaps')}</State>}
      </div>
      {limits.length > 0 && (
        <p class="small quiet">
          {t('Limits: {limits}', {
            limits: limits.map((one) => `${one.name} (${ruleText(one, sensors[0])})`).join(' · '),
          })}
        </p>
      )}
      <p class="small quiet">{t('Created {date}', { date: created })}</p>
    </div>
  );
}
