import type { RowDataPacket } from 'mysql2/promise';
import { append, filterConditions, selectPlannedSoon, selectWalking } from '../../access/metatag-conditions';
import type { TriggerExpressions } from '../../language/windows/written-windows';
import type { Sql } from '../../storage/find-page';
import type { Trigger } from '../../storage/models/trigger.model';
import type { Reader } from '../../storage/read-pool';
import type { RunSql } from '../../storage/transaction';
import { conditionsOf, parseSelector, type Selector } from '../rules/selector';
import { findFull } from './different-x';
import { MAX_TRIGGERS_OF_A_SENSOR } from './trigger-connections';

export type Selecting = Pick<Trigger, 'id' | 'ownerId' | 'selector'>;

export interface SensorRange {
  afterId: number;
  limit: number;
}

const CONNECTED = 'EXISTS (SELECT 1 FROM sensor_triggers st WHERE st.sensor_id = s.id AND st.trigger_id = ?)';

export async function countSelected(reads: Reader, ownerId: number, selector: Selector): Promise<number> {
  const { text, values } = selected(ownerId, selector);
  const [[row]] = await reads.query<RowDataPacket[]>(selectPlannedSoon(`COUNT(*) AS total FROM ${text}`), values);
  return Number(row?.total);
}

/** The first of them, by id. */
export async function findSelected(
  reads: Reader,
  ownerId: number,
  selector: Selector,
  limit: number,
): Promise<number[]> {
  const { text, values } = append(selected(ownerId, selector), 'ORDER BY s.id LIMIT ?', [limit]);
  return idsOf((await reads.query<RowDataPacket[]>(selectWalking(`s.id AS id FROM ${text}`), values))[0]);
}

export async function countConnected(
  reads: Reader,
  { id, ownerId, selector }: Selecting,
): Promise<{ selected: number; connected: number }> {
  if (selector === null) return { selected: 0, connected: 0 };
  const { text, values } = selected(ownerId, parseSelector(selector));
  const [[row]] = await reads.query<RowDataPacket[]>(
    selectPlannedSoon(`COUNT(*) AS total, COALESCE(SUM(${CONNECTED}), 0) AS connected FROM ${text}`),
    [id, ...values],
  );
  return { selected: Number(row?.total), connected: Number(row?.connected) };
}

/** Selected sensors with room that are not connected, by id. */
export async function findMissing(
  reads: Reader,
  { id, ownerId, selector }: Selecting,
  { afterId, limit }: SensorRange,
): Promise<number[]> {
  if (selector === null) return [];
  const { text, values } = append(
    selected(ownerId, parseSelector(selector)),
    `AND s.id > ? AND NOT ${CONNECTED} AND (SELECT COUNT(*) FROM sensor_triggers o WHERE o.sensor_id = s.id) < ?
     ORDER BY s.id LIMIT ?`,
    [afterId, id, MAX_TRIGGERS_OF_A_SENSOR, limit],
  );
  return idsOf((await reads.query<RowDataPacket[]>(selectWalking(`s.id AS id FROM ${text}`), values))[0]);
}

/** Sensors that the selector has connected and no longer matches, by id. */
export async function findUnwanted(
  reads: Reader,
  { id, ownerId, selector }: Selecting,
  { afterId, limit }: SensorRange,
): Promise<number[]> {
  const isSelected = selector === null ? { text: 'FALSE', values: [] } : conditions(ownerId, parseSelector(selector));
  const [rows] = await reads.query<RowDataPacket[]>(
    selectPlannedSoon(
      `s.id AS id FROM sensor_triggers c JOIN sensors s ON s.id = c.sensor_id
       WHERE c.trigger_id = ? AND c.by_selector AND s.id > ? AND NOT (${isSelected.text}) ORDER BY s.id LIMIT ?`,
    ),
    [id, afterId, ...isSelected.values, limit],
  );
  return idsOf(rows);
}

/** As the transaction sees the sensors. */
export async function selectAmong(
  run: RunSql,
  { ownerId, selector }: Selecting,
  sensorIds: readonly number[],
): Promise<Set<number>> {
  if (selector === null || sensorIds.length === 0) return new Set();
  const { text, values } = append(selected(ownerId, parseSelector(selector)), 'AND s.id IN (?)', [sensorIds]);
  return new Set(idsOf(await run(selectPlannedSoon(`s.id AS id FROM ${text}`), values)));
}

/** Leaves out sensors with as many triggers, or different `x`, as they may have. */
export async function withRoom(
  run: RunSql,
  trigger: TriggerExpressions & Selecting,
  sensorIds: readonly number[],
): Promise<number[]> {
  if (sensorIds.length === 0) return [];
  const rows = await run(
    'SELECT sensor_id AS id FROM sensor_triggers WHERE sensor_id IN (?) GROUP BY sensor_id HAVING COUNT(*) >= ?',
    [sensorIds, MAX_TRIGGERS_OF_A_SENSOR],
  );
  const full = new Set([...idsOf(rows), ...(await findFull(run, sensorIds, [trigger]))]);
  return sensorIds.filter((id) => !full.has(id));
}

function selected(ownerId: number, selector: Selector): Sql {
  const { text, values } = conditions(ownerId, selector);
  return { text: `sensors s WHERE ${text}`, values };
}

function conditions(ownerId: number, selector: Selector): Sql {
  const { text, values } = filterConditions(conditionsOf(selector), selector.namespace, ownerId);
  return { text: `s.owner_id = ? ${text}`, values: [ownerId, ...values] };
}

function idsOf(rows: readonly Record<string, unknown>[]): number[] {
  return rows.map(({ id }) => Number(id));
}
