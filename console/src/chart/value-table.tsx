import { formatShort } from '../format';
import { t } from '../language';
import { writerFor } from '../quantity';
import { Folded } from '../ui/page';
import { Table } from '../ui/table';
import { keyOf } from './legend';
import type { Range } from './points';
import { type Line, type Shapes, statisticsOf } from './shape';

/** Number of periods that a table divides a range into. */
const PERIODS = 24;

/** The values of a chart as a table, for readers who do not see it: points, or the means of periods if there are more. */
export function ValueTable({ shapes: { lines, bands }, range }: { shapes: Shapes; range: Range }) {
  if (lines.length === 0 && bands.length === 0) return null;
  return (
    <Folded title={t('Values as a table')}>
      {() => (
        <>
          {lines.length > 0 && <Numbers lines={lines} range={range} />}
          {bands.map(({ name, parts }) => (
            <Table
              key={name}
              caption={name}
              rows={parts.filter(({ from, to }) => to >= range.from && from <= range.to)}
              keyOf={({ from }) => String(from)}
              columns={[
                { name: t('From'), cell: ({ from }) => formatShort(from) },
                { name, cell: ({ value }) => value },
              ]}
            />
          ))}
        </>
      )}
    </Folded>
  );
}

function Numbers({ lines, range }: { lines: readonly Line[]; range: Range }) {
  const rows = rowsOf(lines, range).filter((row) => lines.some((line) => statisticsOf(line, row)));
  return (
    <Table<Range>
      caption={t('Values as a table')}
      blocks={false}
      rows={rows}
      keyOf={({ from }) => String(from)}
      columns={[
        { name: t('From'), cell: ({ from }) => <span class="numbers">{formatShort(from)}</span> },
        ...lines.map((line) => {
          const writer = writerFor(line.unit, statisticsOf(line, range) ?? { low: 0, high: 0 });
          return {
            name: writer.unit ? `${line.name} (${writer.unit})` : line.name,
            right: true,
            cell: (row: Range) => <Figures {...{ line, row, writer }} key={keyOf(line)} />,
          };
        }),
      ]}
    />
  );
}

function Figures({ line, row, writer }: { line: Line; row: Range; writer: ReturnType<typeof writerFor> }) {
  const found = statisticsOf(line, row);
  if (!found) return <>–</>;
  const { low, mean, high } = found;
  const { stored, within } = writer;
  if (low === high) return <>{stored(mean)}</>;
  return (
    <>
      {within(mean)}{' '}
      <span class="quiet">
        ({stored(low)} – {stored(high)})
      </span>
    </>
  );
}

/** The dates of the points in a range, or equal periods of it; neighbouring periods share no date. */
function rowsOf(lines: readonly Line[], { from, to }: Range): Range[] {
  const dates = new Set(lines.flatMap((line) => line.dates.filter((date) => date >= from && date <= to)));
  if (dates.size <= PERIODS) return [...dates].sort((a, b) => a - b).map((date) => ({ from: date, to: date }));
  const length = (to - from) / PERIODS;
  return Array.from({ length: PERIODS }, (_, at) => ({
    from: from + at * length,
    to: from + (at + 1) * length - 0.001,
  }));
}
