import type { ControllerFactory } from '../edge/controller-factory';
import type { GroupSensorsService } from '../people';
import type { Clock } from '../platform/clock';
import type { buildSensors } from './build-sensors';
import { BulkController } from './bulk/bulk.controller';
import { DashboardsController } from './dashboards/dashboards.controller';
import { PublicDashboardsController } from './dashboards/public-dashboards.controller';
import { DevicesController } from './devices/devices.controller';
import { SensorDeviceController } from './devices/sensor-device.controller';
import { EnvironmentSensorsController } from './environments/environment-sensors.controller';
import { EnvironmentsController } from './environments/environments.controller';
import { FloorPlansController } from './environments/floor-plans.controller';
import { SensorEnvironmentController } from './environments/sensor-environment.controller';
import { SubEnvironmentsController } from './environments/sub-environments.controller';
import { GroupMetatagsController } from './metatags/group-metatags.controller';
import { MetatagNamesController } from './metatags/metatag-names.controller';
import { MetatagSearchController } from './metatags/metatag-search.controller';
import { MetatagsController } from './metatags/metatags.controller';
import { NotesController } from './notes/notes.controller';
import { ReportsController } from './reports/reports.controller';
import { GroupSensorsController } from './sensors/group-sensors.controller';
import { NewSharesController } from './sensors/new-shares.controller';
import { SensorRetentionController } from './sensors/sensor-retention.controller';
import { SensorUsersController } from './sensors/sensor-users.controller';
import { SensorsController } from './sensors/sensors.controller';
import { ConnectedSensorsController } from './virtual-sensors/connected-sensors.controller';
import { ManualLearningController } from './virtual-sensors/manual-learning.controller';
import { SensorServicesController } from './virtual-sensors/sensor-services.controller';
import { ServiceMethodsController } from './virtual-sensors/service-methods.controller';

type Services = ReturnType<typeof buildSensors>['services'] & { groupSensors: GroupSensorsService; clock: Clock };

export function sensorsControllers(services: Services): ControllerFactory[] {
  return [
    [SensorsController, () => new SensorsController(services.sensors)],
    [SensorUsersController, () => new SensorUsersController(services.sensorUsers)],
    [NewSharesController, () => new NewSharesController(services.newShares)],
    [ConnectedSensorsController, () => new ConnectedSensorsController(services.connectedSensors)],
    [MetatagsController, () => new MetatagsController(services.metatags)],
    [NotesController, () => new NotesController(services.notes)],
    [MetatagSearchController, () => new MetatagSearchController(services.metatagSearch)],
    [MetatagNamesController, () => new MetatagNamesController(services.metatagSearch)],
    [GroupMetatagsController, () => new GroupMetatagsController(services.metatagSearch)],
    [DevicesController, () => new DevicesController(services.devices)],
    [SensorDeviceController, () => new SensorDeviceController(services.devices)],
    [EnvironmentsController, () => new EnvironmentsController(services.environments)],
    [SubEnvironmentsController, () => new SubEnvironmentsController(services.environments)],
    [EnvironmentSensorsController, () => new EnvironmentSensorsController(services.environmentSensors)],
    [FloorPlansController, () => new FloorPlansController(services.floorPlans)],
    [SensorEnvironmentController, () => new SensorEnvironmentController(services.environmentSensors)],
    [DashboardsController, () => new DashboardsController(services.dashboards)],
    [PublicDashboardsController, () => new PublicDashboardsController(services.publicDashboards)],
    [SensorRetentionController, () => new SensorRetentionController(services.sensorRetention)],
    [
      SensorServicesController,
      () => new SensorServicesController(services.sensorServices, services.serviceConnections),
    ],
    [ServiceMethodsController, () => new ServiceMethodsController(services.serviceMethods)],
    [ManualLearningController, () => new ManualLearningController(services.training)],
    [GroupSensorsController, () => new GroupSensorsController(services.sensors, services.groupSensors)],
    [ReportsController, () => new ReportsController(services.reports, services.clock)],
    [BulkController, () => new BulkController(services.bulk)],
  ];
}
