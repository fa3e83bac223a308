import type { Clock } from '../../clock';
import type { Database } from '../../database';
import { visibleSensorsSql } from '../../database/sensor-visibility';
import { inTransaction } from '../../database/transaction';
import { LARGEST_PAGE, type Page } from '../../domain/paging';
import { NotFound } from '../../errors';
import type { EventLog } from '../../events/event-log';
import { ConnectedSensor } from '../../models/connected-sensor.model';
import { Sensor } from '../../models/sensor.model';
import type { SensorAccess } from '../access/sensor-access';
import { connectSensor, disconnectSensor } from './sensor-connections';
import type { SensorServicesService } from './sensor-services.service';

/** The sensors that virtual sensors use. */
export class ConnectedSensorsService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly events: EventLog,
    private readonly clock: Clock,
    private readonly services: SensorServicesService,
  ) {}

  /** The sensors that a visible sensor uses, by id, as far as the user may see them, too. */
  async list(
    userId: number,
    sensorId: number,
    page: Page = LARGEST_PAGE,
  ): Promise<{ sensors: Sensor[]; total?: number }> {
    await this.access.load(userId, sensorId);
    const { sequelize } = this.database;
    const visible = sequelize.literal(`used_sensor_id IN (${visibleSensorsSql(userId)})`);
    const where = { sensorId, visible };
    const { offset, limit, withTotal } = page;
    const used = await ConnectedSensor.findAll({ where, order: ['usedSensorId'], offset, limit, raw: true });
    const sensors = await Sensor.findAll({ where: { id: used.map((row) => row.usedSensorId) }, order: ['id'] });
    return { sensors, total: withTotal ? await ConnectedSensor.count({ where }) : undefined };
  }

  /** Lets an own sensor use a visible one; again is harmless. Conflict when it would use itself. */
  async connect(userId: number, virtualId: number, usedId: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      await this.access.own(userId, virtualId, transaction);
      await this.access.load(userId, usedId, transaction);
      const nowMs = this.clock.now();
      await connectSensor(transaction, this.events, { virtualId, usedId, userId, nowMs });
    });
  }

  /** Ends it; a sensor that feeds the service of the virtual one is disconnected from that as well. */
  async disconnect(userId: number, virtualId: number, usedId: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      await this.access.own(userId, virtualId, transaction);
      await this.services.detach(transaction, { userId, sensorId: usedId, serviceId: virtualId });
      const wasConnected = await disconnectSensor(transaction, this.events, { virtualId, usedId, userId });
      if (!wasConnected) throw new NotFound('the connected sensor');
    });
  }
}
