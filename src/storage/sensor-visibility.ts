import type { RunSql } from './transaction';

interface Way {
  from: string;
  sensor: string;
  user: string;
  /** Id of the group that shares the sensor, or NULL. */
  group: string;
}

const OWNERSHIP: Way = { from: 'sensors', sensor: 'id', user: 'owner_id', group: 'NULL' };

/** The only place that decides who sees what. */
const WAYS_OF_SHARING: readonly Way[] = [
  { from: 'sensor_users', sensor: 'sensor_id', user: 'user_id', group: 'NULL' },
  {
    from: `group_users m JOIN group_sensors gs
           ON gs.group_id = m.group_id AND m.accepted = TRUE AND m.list_sensors = TRUE`,
    sensor: 'gs.sensor_id',
    user: 'm.user_id',
    group: 'm.group_id',
  },
];

/** Queries for viewers, as `source_id` and `user_id`. Each takes the ids of the sensors once. */
export const SENSOR_VIEWERS: readonly string[] = [OWNERSHIP, ...WAYS_OF_SHARING].map(
  ({ from, sensor, user }) => `SELECT ${sensor} AS source_id, ${user} AS user_id FROM ${from} WHERE ${sensor} IN (?)`,
);

/** Returns the pairs `sensorId userId` of which the user sees the sensor. */
export async function readSensorViewers(
  run: RunSql,
  sensorIds: readonly number[],
  userIds: readonly number[],
): Promise<ReadonlySet<string>> {
  if (sensorIds.length === 0 || userIds.length === 0) return new Set();
  const rows = await run(
    `SELECT v.source_id AS sensorId, v.user_id AS userId FROM (${SENSOR_VIEWERS.join(' UNION ')}) v WHERE v.user_id IN (?)`,
    [...SENSOR_VIEWERS.map(() => sensorIds), userIds],
  );
  return new Set(rows.map(({ sensorId, userId }) => `${sensorId} ${userId}`));
}

/** Selects `sensor_id` of every sensor that is shared with the user. */
export function sharedSensorsSql(userId: number): string {
  return WAYS_OF_SHARING.map((way) => seenBy(userId, way)).join(' UNION ');
}

/** Selects ids for `id IN (...)` and for joins. */
export function visibleSensorsSql(userId: number): string {
  return `${seenBy(userId, OWNERSHIP)} UNION ${sharedSensorsSql(userId)}`;
}

/** Needs at least one sensor. */
export function sharesSql(userId: number, sensorIds: readonly number[]): string {
  const ids = sensorIds.map(safeId).join(', ');
  return WAYS_OF_SHARING.map(
    ({ from, sensor, user, group }) =>
      `SELECT ${sensor} AS sensor_id, ${group} AS group_id FROM ${from} WHERE ${user} = ${safeId(userId)} AND ${sensor} IN (${ids})`,
  ).join(' UNION ALL ');
}

function seenBy(userId: number, { from, sensor, user }: Way): string {
  return `SELECT ${sensor} AS sensor_id FROM ${from} WHERE ${user} = ${safeId(userId)}`;
}

/** Ids become SQL here: refuses anything but an integer. */
export function safeId(id: number): number {
  if (!Number.isSafeInteger(id)) throw new TypeError('an id must be a whole number');
  return id;
}

const NEEDED = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER', 'INDEX', 'DROP', 'REFERENCES'];

/** Reads SHOW GRANTS. Empty if the user has roles, whose rights are not listed. */
export function missingRights(grants: readonly string[], database: string): string[] {
  const granted = new Set<string>();
  for (const line of grants) {
    const parts = /^GRANT (?<rights>.+?) ON (?:`(?<pattern>[^`]*)`|\*)\.\* TO /.exec(line)?.groups;
    if (!parts) {
      if (/^GRANT [`'"]/.test(line)) return [];
      continue;
    }
    if (parts.pattern !== undefined && !matches(parts.pattern, database)) continue;
    for (const right of (parts.rights ?? '').split(', ')) granted.add(right);
  }
  return granted.has('ALL PRIVILEGES') ? [] : NEEDED.filter((right) => !granted.has(right));
}

/** Database names in grants are patterns: `%` is any text, `_` any character, a backslash escapes. */
function matches(pattern: string, database: string): boolean {
  const source = pattern.replace(/\\?[\s\S]/g, (part) => {
    if (part === '%') return '.*';
    if (part === '_') return '.';
    return part.replace(/^\\(?=.)/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 's').test(database);
}
