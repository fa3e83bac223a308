import type { RowDataPacket } from 'mysql2/promise';
import { requireRight } from '../../access/group-access';
import {
  append,
  filterConditions,
  type SearchScope,
  scopeBranches,
  selectPlannedSoon,
  selectWalking,
} from '../../access/metatag-conditions';
import type { MetatagFilter } from '../../access/metatag-filter';
import type { Metatags, MetatagValue } from '../../access/metatags';
import { findSensors } from '../../access/sensor-lock';
import { findSensorStates, presentConditions, type StateNow } from '../../alerts';
import type { Page, PageOf } from '../../edge/paging';
import type { PresentFilter } from '../../edge/present-filter';
import type { Clock } from '../../platform/clock';
import { partsByWeight } from '../../platform/parts-of';
import type { Database } from '../../storage';
import { queryPage, type Sql } from '../../storage/find-page';
import type { Sensor } from '../../storage/models/sensor.model';
import { requireFits } from '../../storage/response-size';
import { sharedSensorsSql } from '../../storage/sensor-visibility';
import { findOwners, type ShownOwner } from '../sensors/sensor-owners';
import { findMetatags, findMetatagsOfAll, type MetatagsByNamespace } from './metatags.service';

export interface TaggedSensor {
  sensor: Sensor;
  metatags: Metatags;
  others?: MetatagsByNamespace;
  owner?: ShownOwner;
  /** If details were requested. */
  now?: StateNow;
}

/** Metatags per read, unless one sensor has more. Between reads the process does other work. */
const MANY_AT_ONCE = 1_000;
/** Memory in addition to the text. */
const METATAG_BYTES = 128;

const EVERYTHING: MetatagFilter = { metatags: [], properties: [] };

// Values are JSON. Numbers come first, by size; then texts by UTF-16 units as in JavaScript. A lone surrogate, escaped
// by JavaScript, is invalid JSON in MySQL: such a value is ordered by its JSON text.
const TEXT = 'CONVERT(value USING utf8mb4)';
const PLAIN = `IF(INSTR(value, '"') = 1 AND INSTR(value, CHAR(92)) > 0 AND JSON_VALID(${TEXT}),
                  JSON_UNQUOTE(${TEXT}), TRIM(BOTH '"' FROM ${TEXT}))`;
const IS_NUMBER = `LEFT(value, 1) NOT IN ('"', 't', 'f')`;
const BY_VALUE = `NOT ${IS_NUMBER}, IF(${IS_NUMBER}, value + 0e0, 0), CAST(CONVERT(${PLAIN} USING utf16) AS BINARY), value`;

/** Finds sensors among those that the user may see. */
export class MetatagSearch {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  list(scope: SearchScope, namespace: string, page: Page): Promise<PageOf<TaggedSensor>> {
    return this.find(scope, namespace, EVERYTHING, page);
  }

  /** Finds sensors, by id, for which at least one statement of each list holds, and the present state. */
  async find(
    scope: SearchScope,
    namespace: string,
    filter: MetatagFilter,
    page: Page,
    present: PresentFilter = {},
  ): Promise<PageOf<TaggedSensor>> {
    if (scope.groupId !== undefined) await requireRight(scope.userId, scope.groupId, 'listSensors');
    const branches = scopeBranches(scope).map(({ from, isOwn }) => {
      const { text, values } = filterConditions(filter, namespace, isOwn ? scope.userId : undefined);
      const now = presentConditions(present, scope.userId, this.clock.now());
      return append(append(from, text, values), now.text, now.values);
    });
    const { items: ids, total } = await this.findIds(branches, page);
    const metatags = await this.inParts(ids, namespace, (some) => findMetatags(this.database.reads, some, namespace));
    const sensors = await findSensors(ids);
    return { items: sensors.map((sensor) => ({ sensor, metatags: metatags.get(sensor.id) ?? new Map() })), total };
  }

  async describe(
    userId: number,
    { items, total }: PageOf<TaggedSensor>,
    details: 'full' | 'no' | undefined,
  ): Promise<PageOf<TaggedSensor>> {
    if (details !== 'full') return { items, total };
    const sensors = items.map(({ sensor }) => sensor);
    const owners = await findOwners(this.database.pool, userId, sensors);
    const ids = sensors.map(({ id }) => id);
    const states = await findSensorStates(this.database.reads, userId, ids, this.clock.now());
    const described = items.map((item) => ({
      ...item,
      owner: owners.get(item.sensor.id),
      now: states.get(item.sensor.id),
    }));
    return { items: described, total };
  }

  async withOthers({ items, total }: PageOf<TaggedSensor>, namespace: string): Promise<PageOf<TaggedSensor>> {
    const ids = items.map(({ sensor }) => sensor.id);
    const found = await this.inParts(ids, undefined, (some) => findMetatagsOfAll(this.database.reads, some));
    const others = (id: number) => new Map([...(found.get(id) ?? [])].filter(([name]) => name !== namespace));
    return { items: items.map((item) => ({ ...item, others: others(item.sensor.id) })), total };
  }

  /** A sensor may have a thousand. */
  private async inParts<T>(
    sensorIds: readonly number[],
    namespace: string | undefined,
    read: (some: readonly number[]) => Promise<ReadonlyMap<number, T>>,
  ): Promise<Map<number, T>> {
    if (sensorIds.length === 0) return new Map();
    const [sizes] = await this.database.reads.query<RowDataPacket[]>(
      `SELECT sensor_id AS sensorId, COUNT(*) AS metatags, SUM(LENGTH(name) + LENGTH(value)) AS bytes FROM metatags
       WHERE sensor_id IN (?) ${namespace === undefined ? '' : 'AND namespace = ?'} GROUP BY sensor_id`,
      [sensorIds, ...(namespace === undefined ? [] : [namespace])],
    );
    requireFits(sizes.reduce((sum, { metatags, bytes }) => sum + Number(bytes) + METATAG_BYTES * Number(metatags), 0));
    const found = new Map<number, T>();
    for (const some of partsByWeight(sizes, ({ metatags }) => Number(metatags), MANY_AT_ONCE)) {
      for (const [id, metatags] of await read(some.map(({ sensorId }) => Number(sensorId)))) found.set(id, metatags);
    }
    return found;
  }

  /** Over all sensors that the user may see: numbers first, then by text. Own sensors use a covering index. */
  async distinctValues(
    userId: number,
    name: string,
    namespace: string,
    { offset, limit, withTotal }: Page,
  ): Promise<PageOf<MetatagValue>> {
    const found = `(SELECT DISTINCT value FROM metatags WHERE owner_id = ? AND namespace = ? AND name = ?
       UNION
       SELECT m.value FROM (${sharedSensorsSql(userId)}) v JOIN metatags m ON m.sensor_id = v.sensor_id
       WHERE m.namespace = ? AND m.name = ?) found`;
    const values = [userId, namespace, name, namespace, name];
    return queryPage(
      this.database.reads,
      {
        page: {
          text: `SELECT value FROM ${found} ORDER BY ${BY_VALUE} LIMIT ? OFFSET ?`,
          values: [...values, limit, offset],
        },
        count: withTotal ? { text: `SELECT COUNT(*) AS total FROM ${found}`, values } : undefined,
      },
      (row): MetatagValue => JSON.parse(String(row.value)),
    );
  }

  /** Branches end with the page, so that none is read completely. */
  private findIds(branches: readonly Sql[], { offset, limit, withTotal }: Page): Promise<PageOf<number>> {
    const values = branches.flatMap((branch) => branch.values);
    const pages = branches.map(({ text }) => `(SELECT s.id AS id FROM ${text} ORDER BY s.id LIMIT ${offset + limit})`);
    const counts = branches.map(({ text }) => `(SELECT COUNT(*) FROM ${text})`);
    return queryPage(
      this.database.reads,
      {
        page: {
          text: selectWalking(`id FROM (${pages.join(' UNION ALL ')}) found ORDER BY id LIMIT ? OFFSET ?`),
          values: [...values, limit, offset],
        },
        count: withTotal ? { text: selectPlannedSoon(`${counts.join(' + ')} AS total`), values } : undefined,
      },
      (row) => Number(row.id),
    );
  }
}
