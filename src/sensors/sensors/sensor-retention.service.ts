import { editRules } from '../../access/rule-edit';
import type { SensorAccess } from '../../access/sensor-access';
import { effectiveRetention, type RetentionDays } from '../../platform/retention';
import type { Database } from '../../storage';
import { requireWindowsKept } from './kept-windows';

export interface SensorRetention {
  days: RetentionDays;
  effectiveDays: RetentionDays;
}

export class SensorRetentionService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly platformDays: RetentionDays,
  ) {}

  async find(userId: number, sensorId: number): Promise<SensorRetention> {
    const { sensor } = await this.access.find(userId, sensorId);
    return this.describe(sensor.retentionDays);
  }

  /** Null removes it. The purge follows within minutes. Throws Conflict if a window needs older points. */
  async set(userId: number, sensorId: number, days: RetentionDays): Promise<SensorRetention> {
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const sensor = await this.access.lockOwn(userId, sensorId, transaction);
      const change = { to: { retentionDays: days }, field: 'retention.days', platformDays: this.platformDays };
      await requireWindowsKept(edit.run, sensor, change);
      await edit.affects({ sensorIds: [sensorId] });
      await sensor.update({ retentionDays: days }, { transaction });
    });
    return this.describe(days);
  }

  private describe(days: RetentionDays): SensorRetention {
    return { days, effectiveDays: effectiveRetention(days, this.platformDays) };
  }
}
