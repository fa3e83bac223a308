import type { Sql } from '../storage/find-page';
import { sharedSensorsSql } from '../storage/sensor-visibility';
import type { MetatagFilter, NumberStatement, SensorProperty, Statement } from './metatag-filter';

export interface SearchScope {
  userId: number;
  owner: 'me' | 'shared' | 'all';
  groupId?: number;
  /** What the caller's credential reaches. */
  reached?: ReadonlySet<number>;
}

/** Own sensors are one branch: their indexes begin with the owner. */
export function scopeBranches({ userId, owner, groupId, reached }: SearchScope): { from: Sql; isOwn: boolean }[] {
  const visible = { text: `(${sharedSensorsSql(userId)}) v JOIN sensors s ON s.id = v.sensor_id WHERE`, values: [] };
  const ofGroup = {
    text: 'group_sensors g JOIN sensors s ON s.id = g.sensor_id WHERE g.group_id = ? AND',
    values: [groupId],
  };
  const all = { text: 'sensors s WHERE', values: [] };
  const isGroup = groupId !== undefined;
  const limit = reached ? { text: ' AND s.id IN (?)', values: [[0, ...reached]] } : { text: '', values: [] };
  const own = append(isGroup ? ofGroup : all, `s.owner_id = ?${limit.text}`, [userId, ...limit.values]);
  const others = append(isGroup ? ofGroup : visible, `s.owner_id <> ?${limit.text}`, [userId, ...limit.values]);
  return [
    ...(owner === 'shared' ? [] : [{ from: own, isOwn: true }]),
    ...(owner === 'me' ? [] : [{ from: others, isOwn: false }]),
  ];
}

export function filterConditions(filter: MetatagFilter, namespace: string, ownerId: number | undefined): Sql {
  const parts = [
    ...filter.metatags.map((group) => metatagCondition(group, namespace, ownerId)),
    ...filter.properties.map(propertyCondition),
  ];
  return {
    text: parts.map(({ text }) => ` AND ${text}`).join(''),
    values: parts.flatMap(({ values }) => values),
  };
}

/**
 * Without the hints all matches are collected first, 60 times slower if most sensors match. The hint of MariaDB is a
 * comment to MySQL, and the other way round.
 */
export function selectWalking(rest: string): string {
  const how = "optimizer_switch='materialization=off'";
  return `/*M! SET STATEMENT ${how} FOR */ ${selectPlannedSoon(rest, `SET_VAR(${how})`)}`;
}

/** MySQL would try orders of conditions for minutes. */
export function selectPlannedSoon(rest: string, hint = ''): string {
  return `SELECT /*+ ${hint} SET_VAR(optimizer_search_depth=2) */ ${rest}`;
}

export function append(sql: Sql, text: string, values: readonly unknown[] = []): Sql {
  return { text: `${sql.text} ${text}`, values: [...sql.values, ...values] };
}

function metatagCondition(
  group: readonly (Statement | NumberStatement)[],
  namespace: string,
  ownerId: number | undefined,
): Sql {
  const compared = group.filter((one) => 'comparison' in one);
  const ofKeys = [...keysByName(group.filter((one) => 'keys' in one))].map(([name, keys]) =>
    keys === 'any'
      ? { text: 'm.name = ?', values: [name] }
      : { text: '(m.name = ? AND m.value_key IN (?))', values: [name, keys] },
  );
  const statements: Sql[] = [...ofKeys, ...compared.map(numberCondition)];
  const owner = ownerId === undefined ? '' : 'm.owner_id = ? AND ';
  return {
    text: `s.id IN (SELECT m.sensor_id FROM metatags m WHERE ${owner}m.namespace = ? AND (${statements
      .map(({ text }) => text)
      .join(' OR ')}))`,
    values: [...(ownerId === undefined ? [] : [ownerId]), namespace, ...statements.flatMap(({ values }) => values)],
  };
}

// `readNumber` in SQL: the keys that it reads, and their part without spaces.
const SPACES = '[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*';
const NUMBER = '[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]+)?';
const KEY = 'CONVERT(m.value_key USING utf8mb4)';
/** The database reads larger numbers as the largest. */
const IS_FINITE = `ABS(REGEXP_SUBSTR(${KEY}, ?) + 0e0) < ${Number.MAX_VALUE}`;

function numberCondition({ name, comparison, number }: NumberStatement): Sql {
  return {
    text: `(m.name = ? AND ${KEY} REGEXP ? AND ${IS_FINITE} AND REGEXP_SUBSTR(${KEY}, ?) + 0e0 ${comparison} ?)`,
    values: [name, `^${SPACES}${NUMBER}${SPACES}$`, NUMBER, NUMBER, number],
  };
}

/** A thousand conditions cost far more than a thousand values. */
function keysByName(group: readonly Statement[]): Map<string, Statement['keys']> {
  const byName = new Map<string, string[] | 'any'>();
  for (const { name, keys } of group) {
    const before = byName.get(name) ?? [];
    if (keys === 'any' || before === 'any') byName.set(name, 'any');
    else byName.set(name, [...before, ...keys]);
  }
  return byName;
}

const TEXTS: ReadonlySet<SensorProperty> = new Set(['name', 'device_type', 'pager_type', 'display_name']);

function propertyCondition(group: readonly Statement<SensorProperty>[]): Sql {
  const statements = group.map(propertyStatement);
  return {
    text: `(${statements.map(({ text }) => text).join(' OR ')})`,
    values: statements.flatMap(({ values }) => values),
  };
}

function propertyStatement({ name, keys }: Statement<SensorProperty>): Sql {
  const column = `s.${name}`;
  if (keys === 'any') return { text: TEXTS.has(name) ? `${column} <> ''` : 'TRUE', values: [] };
  if (TEXTS.has(name)) {
    // The first half can use an index, but considers some different letters equal; the second is exact. The database
    // lowers both sides: JavaScript differs in letters like İ and Σ.
    return {
      text: `(${column} IN (?) AND CAST(LOWER(${column}) AS BINARY) IN (${keys.map(() => 'CAST(LOWER(?) AS BINARY)').join()}))`,
      values: [keys, ...keys],
    };
  }
  if (name === 'use_data_storage') {
    const wanted = keys.flatMap((key) => (/^(1|true)$/i.test(key) ? [1] : /^(0|false)$/i.test(key) ? [0] : []));
    return wanted.length > 0 ? { text: `${column} IN (?)`, values: [wanted] } : { text: 'FALSE', values: [] };
  }
  const numbers = keys.filter((key) => /^\d{1,15}$/.test(key)).map((key) => String(Number(key)));
  return numbers.length > 0 ? { text: `${column} IN (?)`, values: [numbers] } : { text: 'FALSE', values: [] };
}
