import { readRecords } from '../../csv-records';
import { filesAt, identityOf, piecesOf, type SourceFile, wholeRecords } from './file-text';
import { DateReader } from './local-dates';
import { type Entry, NUMBER, type Reading, type Series, type Source, SourceError, shown } from './source';

export interface CsvOptions {
  /** The column of dates; by default the first with a name for dates. */
  dateColumn?: string;
  /** For files with a line for each value: the columns of the series' names and of the values. */
  nameColumn?: string;
  valueColumn?: string;
  zone?: string;
  decimalComma: boolean;
  /** Cells such as 1,5 are texts. */
  isText: boolean;
  skipWrong: boolean;
}

const FITS = /\.(csv|tsv|txt)(\.gz)?$/i;
const DATE_NAMES = /^(date|timestamp|time|ts|datetime|date_time|created_at|createdat|_time)$/i;
const SEPARATORS = [',', ';', '\t'] as const;
const WITH_COMMA = /^[+-]?\d+,\d+$/;
/** What programs write for no value. */
const NO_VALUE = /^(?:nan|[+-]?(?:inf|infinity)|null|none|n\/a)$/i;
const UNIT = /^(.*\S)\s*[([]([^()[\]]{1,32})[)\]]$/;

/** Folders of CSV: each column with values is a series, named by its file and its heading. */
export async function csvFiles(path: string, options: CsvOptions): Promise<Source> {
  const files = await filesAt(path, FITS);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0) || 1;
  const dates = new DateReader(options.zone);
  return {
    kind: 'csv',
    identity: identityOf(files, { ...options, skipWrong: undefined }),
    stateFile: `${path.replace(/[\\/]+$/, '')}.import.json`,
    beginsBehind: false,
    async *read(reading) {
      let bytes = 0;
      for (const file of files) {
        const pieces = piecesOf(file, (count) => {
          bytes += count;
          reading.progress(bytes / total);
        });
        yield* new CsvFile(file, reading, options, dates).entries(pieces);
      }
    },
  };
}

interface Columns {
  dateAt: number;
  /** Only for a file with a line for each value. */
  long?: { nameAt: number; valueAt: number };
  values: readonly { at: number; heading: string }[];
}

class CsvFile {
  private columns: Columns | undefined;
  private separator: string = ',';
  private readonly byHeading = new Map<string, Series>();

  constructor(
    private readonly file: SourceFile,
    private readonly reading: Reading,
    private readonly options: CsvOptions,
    private readonly dates: DateReader,
  ) {}

  async *entries(pieces: AsyncIterable<string>): AsyncGenerator<Entry[]> {
    for await (const { text, line } of wholeRecords(this.file, pieces)) {
      const entries: Entry[] = [];
      if (!this.columns) this.separator = separatorOf(text);
      for (const record of readRecords(text, this.separator, { firstLine: line, isStrict: !this.options.skipWrong })) {
        if (record.cells) this.readRow(record.cells, record.line, entries);
        else this.refuse(record.line, 'a quote is misplaced or has no end');
      }
      yield entries;
    }
  }

  private readRow(cells: readonly string[], line: number, entries: Entry[]): void {
    if (cells.length === 1 && (cells[0] ?? '').trim() === '') return;
    if (!this.columns) {
      this.columns = this.columnsOf(cells, line);
      return;
    }
    const { dateAt, long, values } = this.columns;
    const dateMs = this.dates.read((cells[dateAt] ?? '').trim());
    if (typeof dateMs === 'string') {
      this.refuse(line, `${shown(cells[dateAt] ?? '')} ${dateMs}`);
      return;
    }
    if (long) this.addValue(cells[long.nameAt] ?? '', cells[long.valueAt] ?? '', dateMs, { line, entries });
    else for (const { at, heading } of values) this.addValue(heading, cells[at] ?? '', dateMs, { line, entries });
  }

  private columnsOf(cells: readonly string[], line: number): Columns {
    const { dateColumn, nameColumn, valueColumn } = this.options;
    const headings = cells.map((cell) => cell.trim());
    const find = (name: string) => {
      const at = headings.indexOf(name);
      if (at < 0) throw this.problem(line, `there is no column ${shown(name)}, but ${headings.map(shown).join(', ')}`);
      return at;
    };
    const dateAt = dateColumn === undefined ? headings.findIndex((one) => DATE_NAMES.test(one)) : find(dateColumn);
    if (dateAt < 0) {
      throw this.problem(
        line,
        `no column has a name for dates: give one of ${headings.map(shown).join(', ')} by --date-column`,
      );
    }
    const values = headings
      .map((heading, at) => ({ at, heading: heading || `column ${at + 1}` }))
      .filter(({ at }) => at !== dateAt);
    if (nameColumn === undefined) {
      const only = valueColumn === undefined ? values : values.filter(({ at }) => at === find(valueColumn));
      return { dateAt, values: only };
    }
    return { dateAt, values: [], long: { nameAt: find(nameColumn), valueAt: find(valueColumn ?? 'value') } };
  }

  private addValue(
    heading: string,
    cell: string,
    dateMs: number,
    { line, entries }: { line: number; entries: Entry[] },
  ): void {
    const text = cell.trim();
    if (text === '') {
      this.reading.leaveOut('empty cells', `${this.file.path}:${line} ${heading}`);
      return;
    }
    const { decimalComma, isText } = this.options;
    if (!isText && NO_VALUE.test(text)) {
      this.reading.leaveOut('cells without a value (NaN, Infinity, null)', `${this.file.path}:${line} ${heading}`);
      return;
    }
    const isNumber = NUMBER.test(text) || (decimalComma && WITH_COMMA.test(text));
    if (!isNumber && !isText && WITH_COMMA.test(text)) {
      this.refuse(line, `${shown(text)} may be a number: say so by --decimal-comma, or that it is none by --text`);
      return;
    }
    const value = isNumber && decimalComma ? text.replace(',', '.') : text;
    entries.push({ series: this.seriesOf(heading, isNumber), dateMs, value });
  }

  private seriesOf(heading: string, isNumber: boolean): Series {
    const known = this.byHeading.get(heading);
    if (known) return known;
    const [, title = heading, unit] = UNIT.exec(heading) ?? [];
    const stem = this.file.name.replace(FITS, '');
    const isOnly = !this.columns?.long && this.columns?.values.length === 1 && /^values?$/i.test(title);
    const series: Series = {
      key: `${this.file.name}\n${heading}`,
      name: isOnly ? stem : `${stem}/${title}`,
      dataType: isNumber ? 'float' : '',
      ...(unit && { unit }),
      metatags: { file: this.file.name },
    };
    this.byHeading.set(heading, series);
    return series;
  }

  private refuse(line: number, why: string): void {
    const problem = this.problem(line, `${why}; --skip-wrong leaves out such lines`);
    if (!this.options.skipWrong) throw problem;
    this.reading.leaveOut('cells and lines that cannot be read', `${this.file.path}:${line}: ${why}`);
  }

  private problem(line: number, why: string): SourceError {
    return new SourceError(`${this.file.path}:${line}`, why);
  }
}

/** The one that the first line has most of, outside of quotes. */
function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"[^"]*"/g, '').split('\n', 1);
  const counts = SEPARATORS.map((one) => line.split(one).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}
