import type { RowDataPacket } from 'mysql2/promise';
import { differencesOf, fullName, type NamedSensor, outsideNameOf } from '../../access/equal-names';
import type { Reader } from '../../storage/read-pool';

interface Shown {
  /** The sensors of all tiles, which are compared. */
  boardSensors: readonly number[];
  shownSensorsSql: string;
  isPublic: boolean;
}

/**
 * Full names of sensors, by id: those with equal names on the dashboard are distinguished, by tags. A public dashboard
 * shows neither ids nor other outside names: it counts them.
 */
export async function readFullNames(
  reads: Reader,
  sensors: ReadonlyMap<number, string>,
  { boardSensors, shownSensorsSql, isPublic }: Shown,
): Promise<Map<number, string>> {
  if (sensors.size === 0) return new Map();
  const [rows] = await reads.query<RowDataPacket[]>(
    `SELECT s.id, COALESCE(NULLIF(s.display_name, ''), s.name) AS name, x.name AS outside
     FROM sensors s LEFT JOIN series x ON x.sensor_id = s.id
     WHERE s.id IN (?) AND s.id IN (${shownSensorsSql}) AND COALESCE(NULLIF(s.display_name, ''), s.name) IN (?)
     ORDER BY s.id, x.id`,
    [[...new Set([...boardSensors, ...sensors.keys()])], [...new Set(sensors.values())]],
  );
  const named = new Map<number, NamedSensor>();
  for (const { id, name, outside } of rows) {
    const before = named.get(Number(id))?.outside ?? [];
    named.set(Number(id), { id: Number(id), name, outside: outside === null ? before : [...before, String(outside)] });
  }
  const counted = (_: NamedSensor, at: number) => String(at + 1);
  const differences = differencesOf([...named.values()], isPublic ? counted : outsideNameOf);
  return new Map([...sensors].map(([id, name]) => [id, fullName(name, differences.get(id))]));
}
