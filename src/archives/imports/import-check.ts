import { readPoint } from '../../points';
import { MAX_DASHBOARDS } from '../../sensors';
import { FORMAT } from '../exports/read-me';
import { RefusedArchive, refusedIn } from '../refused-archive';
import { dataEntry, sensorOfData } from './entry-names';
import type { Importing } from './importing';
import { parseLine, readBlocks, readText } from './lines';
import { NamedThings } from './named-things';
import { DASHBOARDS } from './place-steps';

/** Unpacked bytes for each byte of the file: more than any points take. */
const MOST_RATIO = 200;
const LEAST_BYTES = 10_000_000;
const MOST_TEXT = 20_000_000;

/** Reads everything of a file and writes nothing. Throws RefusedArchive with the entry that is wrong. */
export class ImportCheck {
  private left: number;
  private readonly sensors = new Set<string>();

  constructor(private readonly importing: Importing) {
    this.left = Math.max(LEAST_BYTES, MOST_RATIO * importing.work.progress.bytes);
  }

  async run(): Promise<void> {
    const { zip, records } = this.importing;
    await this.manifest();
    await this.lines('sensors.ndjson', (line) => {
      const { id } = records.sensor(line);
      if (this.sensors.has(id))
        throw new RefusedArchive(line.entry, `line ${line.number}: the id ${id} is there twice`);
      this.sensors.add(id);
    });
    for (const name of zip.names) {
      const id = sensorOfData(name);
      if (id !== undefined && !this.sensors.has(id))
        throw new RefusedArchive(name, 'no sensor of the file has this id');
    }
    await this.lines('services.ndjson', (line) => {
      if (!this.sensors.has(records.service(line).id))
        throw new RefusedArchive(line.entry, `line ${line.number}: no sensor of the file has this id`);
    });
    await this.lines('environments.ndjson', (line) => void records.environment(line));
    await this.lines('groups.ndjson', (line) => void records.group(line));
    await this.dashboards();
    for (const name of ['alerts.ndjson', 'audit.ndjson'])
      await this.lines(name, ({ text, number }) => void parseLine(name, number, text));
    await this.rules();
    await this.importing.secrets();
    for (const id of this.sensors) await this.data(dataEntry(id));
  }

  private async manifest(): Promise<void> {
    const name = 'manifest.json';
    const text = await readText(this.importing.zip, name, MOST_TEXT);
    if (text === undefined) throw new RefusedArchive(name, 'the entry is missing: the file is no export');
    const { format } = parseLine(name, 1, text);
    if (format !== FORMAT) throw new RefusedArchive(name, `the format ${String(format).slice(0, 20)} is not known`);
    for (const other of ['README.txt', 'account.json']) await readText(this.importing.zip, other, MOST_TEXT);
  }

  /** Those that the account does not have must fit into its limit. */
  private async dashboards(): Promise<void> {
    const { records, database, ownerId } = this.importing;
    const named = await NamedThings.read(database.pool, DASHBOARDS, ownerId);
    let all = named.size;
    await this.lines('dashboards.ndjson', (line) => {
      if (named.next(records.dashboard(line).name) === undefined) all += 1;
      if (all > MAX_DASHBOARDS)
        throw new RefusedArchive(line.entry, `you would have more than ${MAX_DASHBOARDS} dashboards`);
    });
  }

  private async rules(): Promise<void> {
    const name = 'rules.yaml';
    const text = await readText(this.importing.zip, name, MOST_TEXT);
    if (text === undefined) return;
    const { services, readModel, ownerId } = this.importing;
    try {
      for (const { set } of await services.archivedRules.read(text, readModel))
        await services.archivedRules.check(ownerId, set);
    } catch (error) {
      throw refusedIn(name, error);
    }
  }

  private async lines(
    entry: string,
    read: (line: { entry: string; number: number; text: string }) => void,
  ): Promise<void> {
    for await (const { lines, first } of readBlocks(this.importing.zip, entry, (bytes) => this.spend(entry, bytes))) {
      lines.forEach((text, index) => {
        if (text !== '') read({ entry, number: first + index, text });
      });
      this.importing.requireGoing();
    }
  }

  /** Points are in order of their dates, so that no small file unpacks to endless ones. */
  private async data(entry: string): Promise<void> {
    let lastMs = -1;
    await this.lines(entry, ({ text, number }) => {
      try {
        const { dateMs } = readPoint(parseLine(entry, number, text), '');
        if (dateMs === undefined || dateMs <= lastMs)
          throw new RefusedArchive(entry, `line ${number}: the date is missing, or not after the one before it`);
        lastMs = dateMs;
      } catch (error) {
        throw refusedIn(entry, error, number);
      }
    });
  }

  private spend(entry: string, bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw new RefusedArchive(entry, 'the file unpacks to too many bytes');
  }
}
