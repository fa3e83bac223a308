import { annotatedEntries } from './annotated-csv';
import { filesAt, identityOf, linesOf, MAX_LINE, piecesOf, type SourceFile, tooLong } from './file-text';
import { influxDateMs, influxSeries, type Precision } from './influx-series';
import { LineProblem, OpenText, type ReadLine, readKey, readLine } from './line-protocol';
import { type Entry, type Reading, type Series, type Source, SourceError, shown } from './source';

export interface InfluxFileOptions {
  precision: Precision;
  /** Lines that cannot be read are left out and named, instead of ending the import. */
  skipWrong: boolean;
}

const FITS = /\.(lp|line|txt|influx|csv)(\.gz)?$/i;
const STATEMENT = /^(CREATE|DROP) /;

/**
 * Line protocol, as `influx_inspect export` and `influxd inspect export-lp` write it, and annotated CSV, as
 * `influx query --raw` prints it; a file or a folder.
 */
export async function influxFiles(path: string, options: InfluxFileOptions): Promise<Source> {
  const files = await filesAt(path, FITS);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0) || 1;
  return {
    kind: 'influx',
    identity: identityOf(files, { precision: options.precision }),
    stateFile: `${path.replace(/[\\/]+$/, '')}.import.json`,
    beginsBehind: false,
    async *read(reading) {
      let bytes = 0;
      const known = new Map<string, Series>();
      for (const file of files) {
        const pieces = piecesOf(file, (count) => {
          bytes += count;
          reading.progress(bytes / total);
        });
        if (/\.csv(\.gz)?$/i.test(file.name)) yield* annotatedEntries(file, pieces, known);
        else yield* new LineFile(file, reading, options, known).entries(pieces);
      }
    },
  };
}

class LineFile {
  private line = 0;
  /** A line whose text has no end yet, and its first line. */
  private open = { text: '', line: 0 };
  private database = '';
  private policy = '';
  /** Series by measurement and tags as written, then by field. */
  private readonly byKey = new Map<string, Map<string, Series>>();

  constructor(
    private readonly file: SourceFile,
    private readonly reading: Reading,
    private readonly options: InfluxFileOptions,
    private readonly known: Map<string, Series>,
  ) {}

  async *entries(pieces: AsyncIterable<string>): AsyncGenerator<Entry[]> {
    for await (const lines of linesOf(this.file, pieces)) {
      const entries: Entry[] = [];
      for (const text of lines) this.readRow(text, entries);
      yield entries;
    }
    if (this.open.text !== '') this.refuse(this.open.line, new OpenText().message, this.open.text);
  }

  private readRow(row: string, entries: Entry[]): void {
    this.line += 1;
    if (this.open.text === '') {
      if (row.startsWith('#')) this.readContext(row);
      if (row.startsWith('#') || STATEMENT.test(row)) return;
      this.open = { text: row, line: this.line };
    } else this.open.text += `\n${row}`;
    const { text, line } = this.open;
    if (text.length > MAX_LINE) throw tooLong(this.file, line);
    try {
      const read = readLine(text);
      this.open.text = '';
      if (read) this.add(read, entries);
    } catch (error) {
      if (error instanceof OpenText) return;
      this.open.text = '';
      if (!(error instanceof LineProblem)) throw error;
      this.refuse(line, error.message, text);
    }
  }

  /** Exports name the database of the lines that follow. */
  private readContext(row: string): void {
    const [, name, value = ''] = /^# CONTEXT-(DATABASE|RETENTION-POLICY): ?(.*)$/.exec(row.trimEnd()) ?? [];
    if (name === undefined) return;
    if (name === 'DATABASE') [this.database, this.policy] = [value, ''];
    else this.policy = value;
    this.byKey.clear();
  }

  private add({ key, fields, time }: ReadLine, entries: Entry[]): void {
    if (time === '') throw new LineProblem('has no time');
    const dateMs = influxDateMs(time, this.options.precision);
    if (dateMs === undefined) throw new LineProblem(`has the time ${shown(time)}, which is no whole number`);
    for (const { name, value, dataType } of fields) {
      entries.push({ series: this.seriesOf(key, name, dataType), dateMs, value });
    }
  }

  private seriesOf(key: string, field: string, dataType: 'float' | 'boolean' | 'string'): Series {
    let fields = this.byKey.get(key);
    if (!fields) {
      fields = new Map();
      this.byKey.set(key, fields);
    }
    const found = fields.get(field);
    if (found) return found;
    const database = [this.database, this.policy].filter((part) => part !== '').join('.');
    const made = influxSeries({ database, ...readKey(key) }, field, dataType);
    const series = this.known.get(made.key) ?? made;
    this.known.set(made.key, series);
    fields.set(field, series);
    return series;
  }

  private refuse(line: number, why: string, text: string): void {
    const place = `${this.file.path}:${line}`;
    if (!this.options.skipWrong)
      throw new SourceError(place, `the line ${why} (${shown(text)}); --skip-wrong leaves out such lines`);
    this.reading.leaveOut('lines that cannot be read', `${place} ${why}`);
  }
}
