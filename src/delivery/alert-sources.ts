import type { RowDataPacket } from 'mysql2/promise';
import type { Alert } from '../rules/alert';

/** The columns of a `SourceRow`, from a sensor `s` and a trigger `t`. */
export const SOURCE_COLUMNS = `s.id AS sensorId, s.name AS sensorName, s.display_name AS displayName, s.data_type AS dataType,
  s.data_structure AS dataStructure, t.id AS triggerId, t.name AS triggerName, t.expression, t.inactivity`;

export interface SourceRow extends RowDataPacket {
  sensorId: number;
  sensorName: string;
  displayName: string;
  dataType: string;
  dataStructure: string;
  triggerId: number;
  triggerName: string;
  expression: string | null;
  inactivity: number | null;
}

/** The sensor and the trigger of an alert. */
export function sourcesOf(row: SourceRow): Pick<Alert, 'sensor' | 'trigger'> {
  const { sensorId, sensorName, displayName, dataType, dataStructure } = row;
  const { triggerId, triggerName, expression, inactivity } = row;
  return {
    sensor: { id: sensorId, name: sensorName, displayName, dataType, dataStructure },
    trigger: { id: triggerId, name: triggerName, expression, inactivity },
  };
}
