import type { ComponentChildren } from 'preact';
import { formatCount, formatDuration, sensorName } from '../../format';
import { LOCALE, t } from '../../language';
import { columnWriter, joined, writerFor } from '../../quantity';
import { href } from '../../router';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import type { Sensor } from '../sensors/load';
import { formatDay, type Length, type Report } from './load';

type Period = Report['periods'][number];
type Numbers = Period['values'][number];

/** A sensor in a period; one of its fields if it has several. */
interface Row {
  sensor: Sensor;
  period: Period;
  numbers: Numbers | undefined;
  isFirst: boolean;
}

interface TablesProps {
  sensors: readonly Sensor[];
  reports: ReadonlyMap<string, Report>;
  by: Length;
}

/** One table of all sensors, or a table for each sensor with a row for each period. */
export function ReportTables({ sensors, reports, by }: TablesProps) {
  const rowsOf = (sensor: Sensor) =>
    (reports.get(sensor.id)?.periods ?? []).flatMap((period) => rowsIn(sensor, period));
  if (by === 'range')
    return <ReportTable title={t('Sensors')} name={t('Sensor')} cell={Name} rows={sensors.flatMap(rowsOf)} />;
  return (
    <>
      {sensors.map((sensor) => (
        <Section key={sensor.id} title={nameOf(sensor)}>
          <ReportTable
            title={nameOf(sensor)}
            name={t('Period')}
            cell={({ period }) => formatDay(period.start)}
            rows={rowsOf(sensor)}
          />
        </Section>
      ))}
    </>
  );
}

function rowsIn(sensor: Sensor, period: Period): Row[] {
  const [first, ...others] = period.values;
  return [
    { sensor, period, numbers: first, isFirst: true },
    ...others.map((numbers) => ({ sensor, period, numbers, isFirst: false })),
  ];
}

interface TableProps {
  title: string;
  /** The first column. */
  name: string;
  cell: (row: Row) => ComponentChildren;
  rows: readonly Row[];
}

function ReportTable({ title, name, cell, rows }: TableProps) {
  const hasFields = rows.some(({ numbers }) => numbers?.field);
  const once = (show: (period: Period) => ComponentChildren) => (row: Row) => row.isFirst && show(row.period);
  const number = (pick: (numbers: Numbers) => number, most: number) => {
    const write = writersOf(rows, pick, most);
    const cell = ({ numbers }: Row) => numbers && <span class="nowrap">{write(numbers)}</span>;
    return { right: true, cell };
  };
  const facts: Column<Row>[] = [
    ...(hasFields ? [{ name: t('Field'), cell: ({ numbers }: Row) => numbers?.field }] : []),
    { name: t('Lowest'), ...number(({ minimum }) => minimum, MOST_DECIMALS) },
    { name: t('Mean'), ...number(({ mean }) => mean, MOST_DECIMALS_OF_MEANS) },
    { name: t('Highest'), ...number(({ maximum }) => maximum, MOST_DECIMALS) },
    { name: t('Outside of limits'), right: true, cell: once(Outside) },
    { name: t('Gaps'), right: true, cell: once(Gaps) },
    { name: t('Available'), right: true, cell: once(({ availability }) => percentOf(availability)) },
    { name: t('Alerts'), right: true, cell: once(Alerts) },
  ];
  return (
    <Table<Row>
      caption={title}
      rows={rows}
      columns={[
        { name, cell: (row) => row.isFirst && cell(row) },
        ...facts.map((fact) => ({ ...fact, isNamed: true })),
      ]}
      keyOf={({ sensor, period, numbers }) => `${sensor.id} ${period.start} ${numbers?.field}`}
      isCompact
    />
  );
}

const MOST_DECIMALS = 4;
const MOST_DECIMALS_OF_MEANS = 2;

/** Writes the numbers of a column, each with its unit. Numbers of a field have the same decimals, or the same prefix. */
function writersOf(rows: readonly Row[], pick: (numbers: Numbers) => number, most: number) {
  const groups = new Map<string, number[]>();
  const keyOf = ({ field, unit }: Numbers) => `${field} ${unit}`;
  for (const { numbers } of rows) {
    if (!numbers) continue;
    const known = groups.get(keyOf(numbers));
    if (known) known.push(pick(numbers));
    else groups.set(keyOf(numbers), [pick(numbers)]);
  }
  return (numbers: Numbers) => {
    const all = groups.get(keyOf(numbers)) ?? [];
    const { unit, stored } = writerFor(numbers.unit, { low: Math.min(...all), high: Math.max(...all) });
    const write = unit === numbers.unit ? columnWriter(all, most) : stored;
    return joined(write(pick(numbers)), unit);
  };
}

function nameOf(sensor: Sensor): string {
  return [sensorName(sensor), sensor.apart].filter(Boolean).join(' · ');
}

function Name({ sensor }: Row) {
  return (
    <a class="strong" href={href(`/sensors/${sensor.id}`)}>
      {nameOf(sensor)}
    </a>
  );
}

function Outside({ limits, availability }: Period) {
  const passed = limits.filter(({ seconds }) => seconds > 0);
  if (passed.length === 0) {
    const never = availability < 1 ? t('never while it had data') : t('never');
    return limits.length > 0 && <span class="quiet">{never}</span>;
  }
  return passed.map(({ trigger_id, trigger_name, seconds }) => (
    <div key={trigger_id}>
      <span class="nowrap">{formatDuration(seconds)}</span> <span class="quiet">{trigger_name}</span>
    </div>
  ));
}

function Gaps({ gaps, gap_seconds }: Period) {
  if (gaps === 0) return <span class="quiet">0</span>;
  return (
    <>
      <span class="sign is-inactive">{formatCount(gaps)}</span>{' '}
      <span class="nowrap" title={formatDuration(gap_seconds)}>
        ({formatDuration(gap_seconds, 1)})
      </span>
    </>
  );
}

const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Rounded down: a gap never reads as 100 %. */
function percentOf(share: number): string {
  return percent.format(Math.floor(share * 1000) / 1000);
}

function Alerts({ alerts, acknowledged, acknowledged_by }: Period) {
  if (alerts === 0) return <span class="quiet">0</span>;
  return (
    <>
      {formatCount(alerts)}
      {acknowledged > 0 && (
        <div class="small sign is-acknowledged">
          {t('{n} acknowledged by {person}', { n: acknowledged, person: acknowledged_by.join(', ') })}
        </div>
      )}
    </>
  );
}
