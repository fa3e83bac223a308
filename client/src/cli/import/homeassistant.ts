import { stat } from 'node:fs/promises';
import { dateOf, EntityStates } from './homeassistant-states';
import type { Entry, Series, Source } from './source';
import { SourceError } from './source';
import { Database, type Row } from './sqlite/database';

/** What `statistics` has of an hour, as fields of a value. */
const FIELDS = ['mean', 'min', 'max', 'sum', 'state'] as const;
const GROUP = 1_000;

/** Home Assistant's recorder: `home-assistant_v2.db`. States of each entity, and its statistics by hour. */
export async function homeassistant(path: string): Promise<Source> {
  const { size, mtimeMs } = await stat(path);
  const log = await stat(`${path}-wal`).catch(() => undefined);
  return {
    kind: 'homeassistant',
    identity: [size, Math.floor(mtimeMs), log?.size ?? 0].join(' '),
    stateFile: `${path}.import.json`,
    beginsBehind: false,
    async *read(reading) {
      const database = await Database.open(path);
      try {
        if (!database.columns('states').includes('state')) {
          throw new SourceError(path, 'has no table of states: it is no recorder of Home Assistant');
        }
        const states = new EntityStates(database, reading);
        await states.loadNames();
        const share = database.columns('statistics').length > 0 ? 0.9 : 1;
        yield* inGroups(states.entries((done) => reading.progress(done * share)));
        yield* inGroups(statistics(database, (done) => reading.progress(share + done * (1 - share))));
        await leaveOutOthers(database, reading);
      } finally {
        await database.close();
      }
    },
  };
}

type Leave = Parameters<Source['read']>[0];

async function leaveOutOthers(database: Database, reading: Leave): Promise<void> {
  const others = {
    statistics_short_term: 'statistics of 5 minutes: they are made of the states',
    events: 'events: they are no series',
  };
  for (const [table, reason] of Object.entries(others)) {
    const count = await database.count(table);
    if (count > 0) reading.leaveOut(reason, `table ${table}`, count);
  }
}

async function* statistics(database: Database, progress: (done: number) => void): AsyncGenerator<Entry> {
  const byId = new Map<unknown, Series>();
  for await (const { row } of database.rows('statistics_meta')) byId.set(row.id, statisticSeries(row));
  for await (const { row, done } of database.rows('statistics')) {
    progress(done);
    const series = byId.get(row.metadata_id);
    const dateMs = dateOf(row, 'start');
    const fields = FIELDS.filter((name) => typeof row[name] === 'number' && Number.isFinite(row[name]));
    if (!series || dateMs === undefined || fields.length === 0) continue;
    const value = JSON.stringify(Object.fromEntries(fields.map((name) => [name, row[name]])));
    yield { series, dateMs, value };
  }
}

function statisticSeries(row: Row): Series {
  const [id, unit] = [String(row.statistic_id), row.unit_of_measurement];
  const units = typeof unit === 'string' ? Object.fromEntries(FIELDS.map((name) => [name, unit])) : undefined;
  return {
    key: `statistics ${id}`,
    name: `${id} statistics`,
    ...(typeof row.name === 'string' && row.name !== '' && { displayName: row.name }),
    dataType: 'json',
    ...(units && { fieldUnits: units }),
    metatags: { statistic_id: id, ...(typeof row.source === 'string' && { source: row.source }) },
  };
}

async function* inGroups(entries: AsyncIterable<Entry>): AsyncGenerator<Entry[]> {
  let group: Entry[] = [];
  for await (const entry of entries) {
    group.push(entry);
    if (group.length < GROUP) continue;
    yield group;
    group = [];
  }
  yield group;
}
