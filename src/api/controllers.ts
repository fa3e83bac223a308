import type { Controller } from '@tsoa/runtime';
import { ApplicationsController } from '../oauth/applications.controller';
import { AuthorizationsController } from '../oauth/authorizations.controller';
import { BlockedUsersController } from '../resources/accounts/blocked-users.controller';
import { KeysController } from '../resources/accounts/keys.controller';
import { SessionsController } from '../resources/accounts/sessions.controller';
import { UserSessionsController } from '../resources/accounts/user-sessions.controller';
import { UsersController } from '../resources/accounts/users.controller';
import { BacktestsController } from '../resources/backtests/backtests.controller';
import { BulkController } from '../resources/bulk/bulk.controller';
import { DashboardsController } from '../resources/dashboards/dashboards.controller';
import { PublicDashboardsController } from '../resources/dashboards/public-dashboards.controller';
import { DataPointsController } from '../resources/data-points/data-points.controller';
import { DeliveriesController } from '../resources/deliveries/deliveries.controller';
import { DevicesController } from '../resources/devices/devices.controller';
import { SensorDeviceController } from '../resources/devices/sensor-device.controller';
import { EnvironmentSensorsController } from '../resources/environments/environment-sensors.controller';
import { EnvironmentsController } from '../resources/environments/environments.controller';
import { FloorPlansController } from '../resources/environments/floor-plans.controller';
import { SensorEnvironmentController } from '../resources/environments/sensor-environment.controller';
import { SubEnvironmentsController } from '../resources/environments/sub-environments.controller';
import { EventsController } from '../resources/events/events.controller';
import { AcknowledgementsController } from '../resources/firings/acknowledgements.controller';
import { FiringsController } from '../resources/firings/firings.controller';
import { GroupSensorsController } from '../resources/groups/group-sensors.controller';
import { GroupUsersController } from '../resources/groups/group-users.controller';
import { GroupsController } from '../resources/groups/groups.controller';
import { GroupMetatagsController } from '../resources/metatags/group-metatags.controller';
import { MetatagNamesController } from '../resources/metatags/metatag-names.controller';
import { MetatagSearchController } from '../resources/metatags/metatag-search.controller';
import { MetatagsController } from '../resources/metatags/metatags.controller';
import { MqttSourcesController } from '../resources/mqtt-sources/mqtt-sources.controller';
import { MutesController } from '../resources/mutes/mutes.controller';
import { NotesController } from '../resources/notes/notes.controller';
import { ConfirmationsController } from '../resources/notifications/confirmations.controller';
import { NotificationsController } from '../resources/notifications/notifications.controller';
import { PresetsController } from '../resources/notifications/presets.controller';
import { PreviewsController } from '../resources/notifications/previews.controller';
import { UnsubscribesController } from '../resources/notifications/unsubscribes.controller';
import { InfluxController } from '../resources/protocols/influx.controller';
import { LoRaWanController } from '../resources/protocols/lorawan.controller';
import { RemoteWriteController } from '../resources/protocols/remote-write.controller';
import { WeatherController } from '../resources/protocols/weather.controller';
import { SensorRetentionController } from '../resources/sensors/sensor-retention.controller';
import { SensorUsersController } from '../resources/sensors/sensor-users.controller';
import { SensorsController } from '../resources/sensors/sensors.controller';
import { SeriesController } from '../resources/series/series.controller';
import { StreamsController } from '../resources/streams/streams.controller';
import { DecisionsController } from '../resources/triggers/decisions.controller';
import { SensorTriggersController } from '../resources/triggers/sensor-triggers.controller';
import { TriggerNotificationsController } from '../resources/triggers/trigger-notifications.controller';
import { TriggersController } from '../resources/triggers/triggers.controller';
import { WholeTriggerNotificationsController } from '../resources/triggers/whole-trigger-notifications.controller';
import { ConnectedSensorsController } from '../resources/virtual-sensors/connected-sensors.controller';
import { ManualLearningController } from '../resources/virtual-sensors/manual-learning.controller';
import { SensorServicesController } from '../resources/virtual-sensors/sensor-services.controller';
import { ServiceMethodsController } from '../resources/virtual-sensors/service-methods.controller';

import type { Services } from '../services';

type ControllerClass = new (...args: never[]) => Controller;
export type ControllerFactories = ReadonlyMap<ControllerClass, () => Controller>;
type ControllerFactory = [ControllerClass, () => Controller];

/** Creates the controller of each request: a new one every time, because it carries the headers of the response. */
export function listControllers(services: Services): ControllerFactories {
  return new Map(
    [
      accountControllers,
      sensorControllers,
      serviceControllers,
      groupControllers,
      triggerControllers,
      deliveryControllers,
    ].flatMap((list) => list(services)),
  );
}

function accountControllers(services: Services): ControllerFactory[] {
  return [
    [SessionsController, () => new SessionsController(services.sessions, services.accounts, services.passwordResets)],
    [UsersController, () => new UsersController(services.users, services.registrations)],
    [UserSessionsController, () => new UserSessionsController(services.sessions)],
    [KeysController, () => new KeysController(services.keys)],
    [BlockedUsersController, () => new BlockedUsersController(services.blockedUsers)],
    [ApplicationsController, () => new ApplicationsController(services.applications)],
    [AuthorizationsController, () => new AuthorizationsController(services.authorizations)],
  ];
}

function sensorControllers(services: Services): ControllerFactory[] {
  return [
    [SensorsController, () => new SensorsController(services.sensors)],
    [SensorUsersController, () => new SensorUsersController(services.sensorUsers)],
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
    [DataPointsController, () => new DataPointsController(services.dataPoints, services.clock, services.dataExport)],
    [DashboardsController, () => new DashboardsController(services.dashboards)],
    [PublicDashboardsController, () => new PublicDashboardsController(services.publicDashboards)],
    [MqttSourcesController, () => new MqttSourcesController(services.mqttSources, services.clock)],
    [StreamsController, () => new StreamsController(services.streams)],
    [SensorRetentionController, () => new SensorRetentionController(services.sensorRetention)],
    [SeriesController, () => new SeriesController(services.series)],
    [InfluxController, () => new InfluxController(services.influx)],
    [LoRaWanController, () => new LoRaWanController(services.messages)],
    [RemoteWriteController, () => new RemoteWriteController(services.remoteWrite)],
    [WeatherController, () => new WeatherController(services.messages)],
  ];
}

function serviceControllers(services: Services): ControllerFactory[] {
  return [
    [
      SensorServicesController,
      () => new SensorServicesController(services.sensorServices, services.serviceConnections),
    ],
    [ServiceMethodsController, () => new ServiceMethodsController(services.serviceMethods)],
    [ManualLearningController, () => new ManualLearningController(services.training)],
  ];
}

function groupControllers(services: Services): ControllerFactory[] {
  return [
    [GroupSensorsController, () => new GroupSensorsController(services.sensors, services.groupSensors)],
    [GroupsController, () => new GroupsController(services.groups, services.memberships)],
    [GroupUsersController, () => new GroupUsersController(services.groupMembers, services.memberships)],
  ];
}

function triggerControllers(services: Services): ControllerFactory[] {
  return [
    [TriggersController, () => new TriggersController(services.triggers)],
    [BacktestsController, () => new BacktestsController(services.triggers, services.backtests)],
    [BulkController, () => new BulkController(services.bulk)],
    [SensorTriggersController, () => new SensorTriggersController(services.sensorTriggers)],
    [DecisionsController, () => new DecisionsController(services.sensorTriggers, services.decisionLog)],
    [FiringsController, () => new FiringsController(services.firings, services.bulkFirings)],
    [MutesController, () => new MutesController(services.mutes)],
    [
      TriggerNotificationsController,
      () => new TriggerNotificationsController(services.triggerNotifications, services.notifications),
    ],
    [
      WholeTriggerNotificationsController,
      () => new WholeTriggerNotificationsController(services.wholeTriggerNotifications, services.notifications),
    ],
  ];
}

function deliveryControllers(services: Services): ControllerFactory[] {
  return [
    [EventsController, () => new EventsController(services.eventNotifications)],
    [PreviewsController, () => new PreviewsController(services.notificationPreviews)],
    [
      NotificationsController,
      () => new NotificationsController(services.notifications, services.deliveries, services.redeliveries),
    ],
    [DeliveriesController, () => new DeliveriesController(services.deliveries, services.redeliveries)],
    [AcknowledgementsController, () => new AcknowledgementsController(services.linkAcknowledgements)],
    [ConfirmationsController, () => new ConfirmationsController(services.unsubscribes)],
    [PresetsController, () => new PresetsController()],
    [UnsubscribesController, () => new UnsubscribesController(services.unsubscribes)],
  ];
}
