import type { Controller } from '@tsoa/runtime';
import type { Clock } from '../clock';
import { BacktestsController } from '../controllers/backtests.controller';
import { ConnectedSensorsController } from '../controllers/connected-sensors.controller';
import { DataPointsController } from '../controllers/data-points.controller';
import { DecisionsController } from '../controllers/decisions.controller';
import { DeliveriesController } from '../controllers/deliveries.controller';
import { DevicesController } from '../controllers/devices.controller';
import { EnvironmentSensorsController } from '../controllers/environment-sensors.controller';
import { EnvironmentsController } from '../controllers/environments.controller';
import { EventsController } from '../controllers/events.controller';
import { GroupMetatagsController } from '../controllers/group-metatags.controller';
import { GroupSensorsController } from '../controllers/group-sensors.controller';
import { GroupUsersController } from '../controllers/group-users.controller';
import { GroupsController } from '../controllers/groups.controller';
import { ManualLearningController } from '../controllers/manual-learning.controller';
import { MetatagNamesController } from '../controllers/metatag-names.controller';
import { MetatagSearchController } from '../controllers/metatag-search.controller';
import { MetatagsController } from '../controllers/metatags.controller';
import { NotificationsController } from '../controllers/notifications.controller';
import { SensorDeviceController } from '../controllers/sensor-device.controller';
import { SensorEnvironmentController } from '../controllers/sensor-environment.controller';
import { SensorServicesController } from '../controllers/sensor-services.controller';
import { SensorTriggersController } from '../controllers/sensor-triggers.controller';
import { SensorUsersController } from '../controllers/sensor-users.controller';
import { SensorsController } from '../controllers/sensors.controller';
import { ServiceMethodsController } from '../controllers/service-methods.controller';
import { SessionsController } from '../controllers/sessions.controller';
import { SubEnvironmentsController } from '../controllers/sub-environments.controller';
import { TriggerNotificationsController } from '../controllers/trigger-notifications.controller';
import { TriggersController } from '../controllers/triggers.controller';
import { UnsubscribesController } from '../controllers/unsubscribes.controller';
import { UsersController } from '../controllers/users.controller';
import type { DecisionLog } from '../redis/decision-log';
import type { AccountsService } from '../services/accounts/accounts.service';
import type { SessionsService } from '../services/accounts/sessions.service';
import type { UsersService } from '../services/accounts/users.service';
import type { DataPointsService } from '../services/data-points/data-points.service';
import type { GroupJoiningService } from '../services/groups/group-joining.service';
import { GroupSensorList } from '../services/groups/group-sensor-list';
import type { GroupSensorsService } from '../services/groups/group-sensors.service';
import type { GroupUsersService } from '../services/groups/group-users.service';
import type { GroupsService } from '../services/groups/groups.service';
import type { MetatagSearch } from '../services/metatags/metatag-search';
import type { MetatagsService } from '../services/metatags/metatags.service';
import type { DeliveriesService } from '../services/notifications/deliveries.service';
import type { EventNotificationsService } from '../services/notifications/event-notifications.service';
import type { NotificationsService } from '../services/notifications/notifications.service';
import type { RedeliveriesService } from '../services/notifications/redeliveries.service';
import type { UnsubscribesService } from '../services/notifications/unsubscribes.service';
import type { DevicesService } from '../services/sensors/devices.service';
import type { EnvironmentSensorsService } from '../services/sensors/environment-sensors.service';
import type { EnvironmentsService } from '../services/sensors/environments.service';
import type { SensorUsersService } from '../services/sensors/sensor-users.service';
import type { SensorsService } from '../services/sensors/sensors.service';
import type { BacktestsService } from '../services/triggers/backtests.service';
import type { SensorTriggersService } from '../services/triggers/sensor-triggers.service';
import type { TriggerNotificationsService } from '../services/triggers/trigger-notifications.service';
import type { TriggersService } from '../services/triggers/triggers.service';
import type { ConnectedSensorsService } from '../services/virtual-sensors/connected-sensors.service';
import type { SensorServicesService } from '../services/virtual-sensors/sensor-services.service';
import type { ServiceMethodsService } from '../services/virtual-sensors/service-methods.service';
import type { TrainingService } from '../services/virtual-sensors/training.service';

export type ControllerFactories = ReadonlyMap<new (...args: never[]) => Controller, () => Controller>;

/** What the controllers are made of. */
export interface ControllerParts {
  accounts: AccountsService;
  backtests: BacktestsService;
  clock: Clock;
  connectedSensors: ConnectedSensorsService;
  dataPoints: DataPointsService;
  decisionLog: DecisionLog;
  deliveries: DeliveriesService;
  devices: DevicesService;
  environmentSensors: EnvironmentSensorsService;
  environments: EnvironmentsService;
  eventNotifications: EventNotificationsService;
  groupJoining: GroupJoiningService;
  groupSensors: GroupSensorsService;
  groupUsers: GroupUsersService;
  groups: GroupsService;
  learning: TrainingService;
  metatagSearch: MetatagSearch;
  metatags: MetatagsService;
  notifications: NotificationsService;
  redeliveries: RedeliveriesService;
  sensorServices: SensorServicesService;
  sensorTriggers: SensorTriggersService;
  sensorUsers: SensorUsersService;
  sensors: SensorsService;
  serviceMethods: ServiceMethodsService;
  sessions: SessionsService;
  triggerNotifications: TriggerNotificationsService;
  triggers: TriggersService;
  unsubscribes: UnsubscribesService;
  users: UsersService;
}

/** How the controller of each request is made: a new one every time, as it carries the headers of its answer. */
export function listControllers(parts: ControllerParts): ControllerFactories {
  return new Map<new (...args: never[]) => Controller, () => Controller>([
    [SessionsController, () => new SessionsController(parts.sessions, parts.accounts)],
    [UsersController, () => new UsersController(parts.users)],
    [SensorsController, () => new SensorsController(parts.sensors)],
    [SensorUsersController, () => new SensorUsersController(parts.sensorUsers)],
    [ConnectedSensorsController, () => new ConnectedSensorsController(parts.connectedSensors)],
    [MetatagsController, () => new MetatagsController(parts.metatags)],
    [MetatagSearchController, () => new MetatagSearchController(parts.metatagSearch)],
    [MetatagNamesController, () => new MetatagNamesController(parts.metatagSearch)],
    [GroupMetatagsController, () => new GroupMetatagsController(parts.metatagSearch)],
    [DevicesController, () => new DevicesController(parts.devices)],
    [SensorDeviceController, () => new SensorDeviceController(parts.devices)],
    [EnvironmentsController, () => new EnvironmentsController(parts.environments)],
    [SubEnvironmentsController, () => new SubEnvironmentsController(parts.environments)],
    [EnvironmentSensorsController, () => new EnvironmentSensorsController(parts.environmentSensors)],
    [SensorEnvironmentController, () => new SensorEnvironmentController(parts.environmentSensors)],
    [SensorServicesController, () => new SensorServicesController(parts.sensorServices)],
    [ServiceMethodsController, () => new ServiceMethodsController(parts.serviceMethods)],
    [EventsController, () => new EventsController(parts.eventNotifications)],
    [ManualLearningController, () => new ManualLearningController(parts.learning)],
    [DataPointsController, () => new DataPointsController(parts.dataPoints, parts.clock)],
    [TriggersController, () => new TriggersController(parts.triggers)],
    [BacktestsController, () => new BacktestsController(parts.triggers, parts.backtests)],
    [SensorTriggersController, () => new SensorTriggersController(parts.sensorTriggers)],
    [DecisionsController, () => new DecisionsController(parts.sensorTriggers, parts.decisionLog)],
    [TriggerNotificationsController, () => new TriggerNotificationsController(parts.triggerNotifications)],
    [
      NotificationsController,
      () => new NotificationsController(parts.notifications, parts.deliveries, parts.redeliveries),
    ],
    [GroupSensorsController, () => new GroupSensorsController(new GroupSensorList(parts.sensors), parts.groupSensors)],
    [GroupsController, () => new GroupsController(parts.groups)],
    [GroupUsersController, () => new GroupUsersController(parts.groupUsers, parts.groupJoining)],
    [DeliveriesController, () => new DeliveriesController(parts.deliveries, parts.redeliveries)],
    [UnsubscribesController, () => new UnsubscribesController(parts.unsubscribes)],
  ]);
}
