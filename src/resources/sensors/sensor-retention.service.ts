import type { SensorAccess } from '../../access/sensor-access';
import { effectiveRetention, type RetentionDays } from '../../rules/retention';
import type { Database } from '../../storage';
import { inTransaction } from '../../storage/transaction';

/** How long the points of a sensor are kept: what its owner has set, and what holds. */
export interface SensorRetention {
  days: RetentionDays;
  effectiveDays: RetentionDays;
}

/** How long the points of single sensors are kept. */
export class SensorRetentionService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly platformDays: RetentionDays,
  ) {}

  /** That of a sensor that the user may see. */
  async find(userId: number, sensorId: number): Promise<SensorRetention> {
    const { sensor } = await this.access.find(userId, sensorId);
    return this.describe(sensor.retentionDays);
  }

  /** Sets that of a sensor of the user; null takes the setting away. The purge follows within minutes. */
  async set(userId: number, sensorId: number, days: RetentionDays): Promise<SensorRetention> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const sensor = await this.access.lockOwn(userId, sensorId, transaction);
      await sensor.update({ retentionDays: days }, { transaction });
    });
    return this.describe(days);
  }

  private describe(days: RetentionDays): SensorRetention {
    return { days, effectiveDays: effectiveRetention(days, this.platformDays) };
  }
}
