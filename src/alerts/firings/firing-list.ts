import { type AlertRight, isInTeam, readTriggersOfOthers } from '../../access/alert-access';
import type { Page, PageOf } from '../../edge/paging';
import type { Severity } from '../../edge/severity';
import { queryPage, type Sql } from '../../storage/find-page';
import { likeText } from '../../storage/like-text';
import { Firing } from '../../storage/models/firing.model';
import type { Reader } from '../../storage/read-pool';
import { requireFits } from '../../storage/response-size';
import { runOn } from '../../storage/transaction';
import { type EpisodeFiring, withEpisodes } from './firing-episodes';

export type { EpisodeFiring };

export interface FiringFilter {
  state?: 'firing' | 'resolved';
  acknowledged?: boolean;
  sensorId?: number;
  triggerId?: number;
  /** Selects those of triggers that are shown to this group. */
  groupId?: number;
  severity?: Severity;
  /** False leaves out all but the first firing of an episode. */
  repeats?: boolean;
  /** In the name of the trigger or sensor. */
  search?: string;
  startMs: number;
  endMs: number;
}

/** Which firings: only own ones, or also those of others that the user may see or handle. */
export type Whose = 'own' | AlertRight;

interface Reading {
  page: Page;
  sort: 'ASC' | 'DESC';
  whose: Whose;
  nowMs: number;
}

const FIRST = 'LEFT JOIN firings e ON e.id = f.episode_id';
const OF_OPEN = `STRAIGHT_JOIN firings f FORCE INDEX (firings_once)
  ON f.sensor_trigger_id = e.sensor_trigger_id AND f.fired_ms >= e.fired_ms AND f.reason = e.reason`;
const TRIGGER = 'SELECT 1 FROM triggers t WHERE t.id = f.trigger_id';
const SENSOR = 'SELECT 1 FROM sensors s WHERE s.id = f.sensor_id';

/** By date, without firings of deleted triggers and sensors, which the purge deletes. */
export async function findFirings(
  reads: Reader,
  userId: number,
  filter: FiringFilter,
  { page: { offset, limit, withTotal }, sort, whose, nowMs }: Reading,
): Promise<PageOf<EpisodeFiring>> {
  const branches = await branchesFor(reads, userId, filter, whose);
  const { items, total } = await queryPage(
    reads,
    { page: pageOf(branches, { offset, limit, sort }), ...(withTotal ? { count: countOf(branches) } : {}) },
    (row) => ({ id: Number(row.id), bytes: Number(row.bytes) }),
  );
  requireFits(items.reduce((sum, { bytes }) => sum + bytes, 0));
  const ids = items.map(({ id }) => id);
  const found = new Map((await Firing.findAll({ where: { id: ids } })).map((firing) => [firing.id, firing]));
  const firings = ids.flatMap((id) => found.get(id) ?? []);
  return { items: await withEpisodes(firings, { reads, nowMs }), total };
}

/** The branches of several owners end with the page, so that each has its index. */
function pageOf(
  branches: readonly Sql[],
  { offset, limit, sort }: Pick<Page, 'offset' | 'limit'> & { sort: string },
): Sql {
  const [only] = branches;
  if (branches.length === 1 && only) {
    const order = `ORDER BY f.fired_ms ${sort}, f.id ${sort} LIMIT ? OFFSET ?`;
    const text = `SELECT f.id, LENGTH(f.variables) AS bytes FROM ${only.text} ${order}`;
    return { text, values: [...only.values, limit, offset] };
  }
  const parts = branches.map(
    ({ text }) => `(SELECT f.id, f.fired_ms FROM ${text} ORDER BY f.fired_ms ${sort}, f.id ${sort} LIMIT ?)`,
  );
  return {
    text: `SELECT p.id, LENGTH(f.variables) AS bytes FROM (
       SELECT id, fired_ms FROM (${parts.join(' UNION ALL ')}) seen ORDER BY fired_ms ${sort}, id ${sort} LIMIT ? OFFSET ?
     ) p JOIN firings f ON f.id = p.id ORDER BY p.fired_ms ${sort}, p.id ${sort}`,
    values: [...branches.flatMap(({ values }) => [...values, offset + limit]), limit, offset],
  };
}

function countOf(branches: readonly Sql[]): Sql {
  const counts = branches.map(({ text }) => `(SELECT COUNT(*) FROM ${text})`);
  return { text: `SELECT ${counts.join(' + ')} AS total`, values: branches.flatMap(({ values }) => values) };
}

/** Beyond, the firings of all owners are joined and sorted: so many branches would take longer. */
const MOST_OWNERS = 50;

/** No firing is in two branches. Those of each owner have the order of an index, unless few firings are shared. */
async function branchesFor(reads: Reader, userId: number, filter: FiringFilter, whose: Whose): Promise<Sql[]> {
  const { from, where, by } = sourceOf(filter);
  const branch = (condition: string, given: readonly unknown[], isOwn: boolean): Sql => {
    const [shown, values] = conditionsOf(filter, { isOwn });
    return { text: `${from} WHERE ${condition} AND ${where}${shown}`, values: [...given, ...values] };
  };
  const own = branch(`${by}.owner_id = ?`, [userId], true);
  if (whose === 'own') return [own];
  const run = runOn(reads);
  if (!(await isInTeam(run, userId))) return [own]; // most users
  const others = await readTriggersOfOthers(run, userId, whose);
  if (others.size === 0) return [own];
  const ofOwners = (owners: unknown, ids: readonly number[]) =>
    branch(`${by}.owner_id IN (?) AND ${by}.trigger_id IN (?)`, [owners, ids], false);
  if (filter.state === 'firing' || others.size > MOST_OWNERS)
    return [own, ofOwners([...others.keys()], [...others.values()].flat())];
  return [own, ...[...others].map(([ownerId, ids]) => ofOwners(ownerId, ids))];
}

interface Source {
  from: string;
  where: string;
  /** The alias that owners and triggers narrow. */
  by: 'e' | 'f';
}

/** Open episodes are read by their index, before their firings: MySQL would prefer the whole history of a trigger. */
function sourceOf({ state, repeats }: FiringFilter): Source {
  if (state !== 'firing') return { from: `firings f ${FIRST}`, where: '', by: 'f' };
  const by = repeats === false ? 'f' : 'e';
  const from = `firings ${by} FORCE INDEX (firings_lasting) ${by === 'f' ? FIRST : OF_OPEN}`;
  return { from, where: `${by}.is_lasting = TRUE AND `, by };
}

/** Others search by the name that they see. */
function conditionsOf(filter: FiringFilter, { isOwn }: { isOwn: boolean }): [text: string, values: unknown[]] {
  const { state, acknowledged, sensorId, triggerId, groupId, severity, repeats, search, startMs, endMs } = filter;
  const conditions: [text: string, ...values: unknown[]][] = [
    ['f.fired_ms BETWEEN ? AND ?', startMs, endMs],
    [`EXISTS (${TRIGGER})`],
    [`EXISTS (${SENSOR})`],
  ];
  if (state === 'resolved') conditions.push(['COALESCE(e.is_lasting, f.is_lasting) = FALSE']);
  if (acknowledged !== undefined) {
    conditions.push([`COALESCE(e.acknowledged_ms, f.acknowledged_ms) IS ${acknowledged ? 'NOT NULL' : 'NULL'}`]);
  }
  if (repeats === false) conditions.push(['f.episode_id IS NULL']);
  if (sensorId !== undefined) conditions.push(['f.sensor_id = ?', sensorId]);
  if (triggerId !== undefined) conditions.push(['f.trigger_id = ?', triggerId]);
  if (groupId !== undefined) conditions.push([`EXISTS (${TRIGGER} AND t.group_id = ?)`, groupId]);
  if (severity !== undefined) conditions.push([`EXISTS (${TRIGGER} AND t.severity = ?)`, severity]);
  if (search) {
    const names = isOwn ? ['s.name', 's.display_name'] : ["COALESCE(NULLIF(s.display_name, ''), s.name)"];
    const ofSensor = names.map((name) => `${name} LIKE ?`).join(' OR ');
    const named = `EXISTS (${TRIGGER} AND t.name LIKE ?) OR EXISTS (${SENSOR} AND (${ofSensor}))`;
    const like = likeText(search);
    conditions.push([`(${named})`, like, ...names.map(() => like)]);
  }
  return [conditions.map(([text]) => text).join(' AND '), conditions.flatMap(([, ...values]) => values)];
}
