import type { Commit } from '../database/simulated-database';
import type { Row } from '../database/sql-syntax';

type Entry = [dateMs: number, value: string, ...sensorTriggerIds: number[]];

/** The states of sensor triggers as they follow from their rows and the write-behind buffer, commit by commit. */
export class States {
  private readonly rows = new Map<number, Row>();
  private readonly buffer = new Map<number, readonly Entry[]>();

  /** After this commit. Whether it may have changed any. */
  follow({ changes }: Commit): boolean {
    let isChanged = false;
    for (const { table, before, after } of changes) {
      if (table === 'sensor_triggers' && after) this.rows.set(Number(after.id), after);
      else if (table === 'sensor_triggers' && before) this.rows.delete(Number(before.id));
      else if (table === 'write_behind_buffer' && after)
        this.buffer.set(Number(after.id), JSON.parse(String(after.content)));
      else if (table === 'write_behind_buffer' && before) this.buffer.delete(Number(before.id));
      else continue;
      isChanged = true;
    }
    return isChanged;
  }

  /** The row of a sensor trigger, with the newest point of it and of the buffer. */
  of(sensorTriggerId: number): Row | undefined {
    const row = this.rows.get(sensorTriggerId);
    if (!row) return undefined;
    let latest: { last_date_ms: number; last_data_value: string } | undefined;
    for (const entries of this.buffer.values()) {
      for (const [dateMs, value, ...ids] of entries) {
        const newest = Math.max(Number(row.last_date_ms ?? -1), latest?.last_date_ms ?? -1);
        if (ids.includes(sensorTriggerId) && dateMs > newest) latest = { last_date_ms: dateMs, last_data_value: value };
      }
    }
    return latest ? { ...row, ...latest } : row;
  }
}
