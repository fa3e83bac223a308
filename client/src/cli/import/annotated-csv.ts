import { readRecords } from '../../csv-records';
import { type SourceFile, wholeRecords } from './file-text';
import { influxSeries } from './influx-series';
import { type Entry, type Series, SourceError, shown } from './source';

type DataType = 'float' | 'boolean' | 'string';

/** Types of annotated CSV; other columns hold no values. */
const TYPES: Readonly<Record<string, DataType>> = {
  double: 'float',
  long: 'float',
  unsignedLong: 'float',
  boolean: 'boolean',
  string: 'string',
};

interface Column {
  at: number;
  name: string;
  type: string;
  isGroup: boolean;
  /** The value of empty cells. */
  usual: string;
}

/**
 * The tables of a query, by https://docs.influxdata.com/influxdb/v2/reference/syntax/annotated-csv/. Throws SourceError
 * for a file without annotations, for an error that the query has printed, and for a value that its type does not have.
 */
export async function* annotatedEntries(
  file: SourceFile,
  pieces: AsyncIterable<string>,
  known: Map<string, Series>,
): AsyncGenerator<Entry[]> {
  const table = new Table(file, known);
  for await (const { text, line } of wholeRecords(file, pieces)) {
    const entries: Entry[] = [];
    for (const record of readRecords(text, ',', { firstLine: line })) {
      if (!record.cells) throw new SourceError(`${file.path}:${record.line}`, 'a quote is misplaced or has no end');
      table.read(record.cells, record.line, entries);
    }
    yield entries;
  }
}

class Table {
  private annotations = new Map<string, readonly string[]>();
  private columns: readonly Column[] = [];
  private isHeaderNext = false;

  constructor(
    private readonly file: SourceFile,
    private readonly known: Map<string, Series>,
  ) {}

  read(cells: readonly string[], line: number, entries: Entry[]): void {
    const [first = ''] = cells;
    if (cells.length === 1 && first.trim() === '') return;
    if (first.startsWith('#')) {
      if (!this.isHeaderNext) this.annotations = new Map();
      this.annotations.set(first, cells);
      this.isHeaderNext = true;
    } else if (this.isHeaderNext) this.begin(cells, line);
    else this.readRow(cells, line, entries);
  }

  private begin(cells: readonly string[], line: number): void {
    this.isHeaderNext = false;
    const of = (name: string, at: number) => this.annotations.get(name)?.[at] ?? '';
    this.columns = cells.map((name, at) => ({
      at,
      name,
      type: of('#datatype', at),
      isGroup: of('#group', at) === 'true',
      usual: of('#default', at),
    }));
    const isError = this.columns.some(({ name }) => name === 'error');
    if (!isError && !this.columns.some(({ name }) => name === '_time')) {
      throw this.problem(
        line,
        'the table has no column _time: query the points as they are, without an aggregate over all',
      );
    }
  }

  private readRow(cells: readonly string[], line: number, entries: Entry[]): void {
    if (this.columns.length === 0) {
      throw this.problem(line, 'annotated CSV begins with #datatype, #group and #default: query with --raw');
    }
    const cellOf = ({ at, usual }: Column) => (cells[at] ? cells[at] : usual);
    const named = (name: string) => {
      const column = this.columns.find((one) => one.name === name);
      return column ? cellOf(column) : '';
    };
    if (named('error') !== '') throw this.problem(line, `the query has failed: ${named('error')}`);
    const dateMs = Date.parse(named('_time'));
    if (Number.isNaN(dateMs)) throw this.problem(line, `${shown(named('_time'))} is no date`);
    const isTag = ({ name, isGroup }: Column) => isGroup && !/^(_.*|result|table|)$/.test(name);
    const tags = Object.fromEntries(this.columns.filter(isTag).map((column) => [column.name, cellOf(column)]));
    const place = { database: '', measurement: named('_measurement') || 'query', tags };
    for (const column of this.valueColumns()) {
      const text = cellOf(column);
      if (text === '') continue;
      const dataType = TYPES[column.type] ?? 'string';
      const field = column.name === '_value' ? named('_field') || 'value' : column.name;
      entries.push({
        series: this.seriesOf(influxSeries(place, field, dataType)),
        dateMs,
        value: this.valueOf(text, dataType, line),
      });
    }
  }

  /** `_value`, or after a pivot every column that is neither of the group nor of the system. */
  private valueColumns(): readonly Column[] {
    const value = this.columns.filter(({ name }) => name === '_value');
    if (value.length > 0) return value;
    return this.columns.filter(
      ({ name, type, isGroup }) => !isGroup && !/^(_.*|result|table|)$/.test(name) && Object.hasOwn(TYPES, type),
    );
  }

  private valueOf(text: string, dataType: DataType, line: number): string {
    if (dataType === 'float' && !Number.isFinite(Number(text)))
      throw this.problem(line, `${shown(text)} is no finite number`);
    return text;
  }

  private seriesOf(made: Series): Series {
    const series = this.known.get(made.key) ?? made;
    this.known.set(made.key, series);
    return series;
  }

  private problem(line: number, why: string): SourceError {
    return new SourceError(`${this.file.path}:${line}`, why);
  }
}
