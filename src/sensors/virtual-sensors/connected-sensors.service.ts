import { literal, Op } from 'sequelize';
import { reaches } from '../../access/credential.policy';
import { editRules } from '../../access/rule-edit';
import type { SensorAccess } from '../../access/sensor-access';
import { findSensors } from '../../access/sensor-lock';
import { LARGEST_PAGE, type Page, type PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { ConnectedSensor } from '../../storage/models/connected-sensor.model';
import { visibleSensorsSql } from '../../storage/sensor-visibility';
import { inTransaction } from '../../storage/transaction';
import { describePage, type ListDetails, type ListedSensor } from '../sensors/listed-sensors';
import { connectSensor, disconnectSensor } from './sensor-connections';
import type { ServiceConnectionsService } from './service-connections.service';

type ReachingCaller = Pick<Caller, 'userId' | 'credential'>;

/** The sensors that virtual sensors use. */
export class ConnectedSensorsService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly events: EventLog,
    private readonly clock: Clock,
    private readonly serviceConnections: ServiceConnectionsService,
  ) {}

  async list(
    { userId, credential }: ReachingCaller,
    sensorId: number,
    page: Page = LARGEST_PAGE,
    details?: ListDetails,
  ): Promise<PageOf<ListedSensor>> {
    await this.access.find(userId, sensorId);
    const isVisible = { [Op.in]: literal(`(${visibleSensorsSql(userId)})`) };
    const isReached = credential.sensors ? [{ [Op.in]: [...credential.sensors] }] : [];
    const where = { sensorId, usedSensorId: { [Op.and]: [isVisible, ...isReached] } };
    const { items, total } = await findPage(ConnectedSensor, { where, order: ['usedSensorId'] }, page);
    const sensors = await findSensors(items.map(({ usedSensorId }) => usedSensorId));
    return describePage(this.database, { userId, nowMs: this.clock.now() }, { items: sensors, total }, details);
  }

  /** Connects once, also if repeated. Throws Conflict if the sensor would use itself. */
  async connect({ userId, credential }: ReachingCaller, virtualId: number, usedId: number): Promise<void> {
    if (!reaches(credential, usedId)) throw new NotFound('the sensor');
    await inTransaction(this.database.sequelize, async (transaction) => {
      await this.access.findOwn(userId, virtualId, transaction);
      await this.access.find(userId, usedId, transaction);
      const nowMs = this.clock.now();
      await connectSensor(transaction, this.events, { virtualId, usedId, userId, nowMs });
    });
  }

  /** Disconnects from the virtual sensor, and from its service. */
  async disconnect({ userId, credential }: ReachingCaller, virtualId: number, usedId: number): Promise<void> {
    if (!reaches(credential, usedId)) throw new NotFound('the sensor');
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      await this.access.findOwn(userId, virtualId, transaction);
      await this.serviceConnections.disconnectInput(edit, {
        userId,
        sensorId: usedId,
        serviceId: virtualId,
      });
      const wasConnected = await disconnectSensor(transaction, this.events, { virtualId, usedId, userId });
      if (!wasConnected) throw new NotFound('the connected sensor');
    });
  }
}
