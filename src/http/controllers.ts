import type { Controller } from '@tsoa/runtime';
import { AcknowledgementsController } from '../controllers/acknowledgements.controller';
import { ApplicationsController } from '../controllers/applications.controller';
import { AuthorizationsController } from '../controllers/authorizations.controller';
import { BacktestsController } from '../controllers/backtests.controller';
import { BlockedUsersController } from '../controllers/blocked-users.controller';
import { ConfirmationsController } from '../controllers/confirmations.controller';
import { ConnectedSensorsController } from '../controllers/connected-sensors.controller';
import { DataPointsController } from '../controllers/data-points.controller';
import { DecisionsController } from '../controllers/decisions.controller';
import { DeliveriesController } from '../controllers/deliveries.controller';
import { DevicesController } from '../controllers/devices.controller';
import { EnvironmentSensorsController } from '../controllers/environment-sensors.controller';
import { EnvironmentsController } from '../controllers/environments.controller';
import { EventsController } from '../controllers/events.controller';
import { FiringsController } from '../controllers/firings.controller';
import { GroupMetatagsController } from '../controllers/group-metatags.controller';
import { GroupSensorsController } from '../controllers/group-sensors.controller';
import { GroupUsersController } from '../controllers/group-users.controller';
import { GroupsController } from '../controllers/groups.controller';
import { KeysController } from '../controllers/keys.controller';
import { ManualLearningController } from '../controllers/manual-learning.controller';
import { MetatagNamesController } from '../controllers/metatag-names.controller';
import { MetatagSearchController } from '../controllers/metatag-search.controller';
import { MetatagsController } from '../controllers/metatags.controller';
import { MutesController } from '../controllers/mutes.controller';
import { NotificationsController } from '../controllers/notifications.controller';
import { SensorDeviceController } from '../controllers/sensor-device.controller';
import { SensorEnvironmentController } from '../controllers/sensor-environment.controller';
import { SensorRetentionController } from '../controllers/sensor-retention.controller';
import { SensorServicesController } from '../controllers/sensor-services.controller';
import { SensorTriggersController } from '../controllers/sensor-triggers.controller';
import { SensorUsersController } from '../controllers/sensor-users.controller';
import { SensorsController } from '../controllers/sensors.controller';
import { ServiceMethodsController } from '../controllers/service-methods.controller';
import { SessionsController } from '../controllers/sessions.controller';
import { StreamsController } from '../controllers/streams.controller';
import { SubEnvironmentsController } from '../controllers/sub-environments.controller';
import { TriggerNotificationsController } from '../controllers/trigger-notifications.controller';
import { TriggersController } from '../controllers/triggers.controller';
import { UnsubscribesController } from '../controllers/unsubscribes.controller';
import { UserSessionsController } from '../controllers/user-sessions.controller';
import { UsersController } from '../controllers/users.controller';

import type { Services } from '../services';

export type ControllerFactories = ReadonlyMap<new (...args: never[]) => Controller, () => Controller>;

/** Makes the controller of each request: a new one every time, because it carries the headers of the response. */
export function listControllers(services: Services): ControllerFactories {
  return new Map<new (...args: never[]) => Controller, () => Controller>([
    [SessionsController, () => new SessionsController(services.sessions, services.accounts, services.passwordResets)],
    [UsersController, () => new UsersController(services.users, services.registrations)],
    [UserSessionsController, () => new UserSessionsController(services.sessions)],
    [KeysController, () => new KeysController(services.keys)],
    [BlockedUsersController, () => new BlockedUsersController(services.blockedUsers)],
    [SensorsController, () => new SensorsController(services.sensors)],
    [SensorUsersController, () => new SensorUsersController(services.sensorUsers)],
    [ConnectedSensorsController, () => new ConnectedSensorsController(services.connectedSensors)],
    [MetatagsController, () => new MetatagsController(services.metatags)],
    [MetatagSearchController, () => new MetatagSearchController(services.metatagSearch)],
    [MetatagNamesController, () => new MetatagNamesController(services.metatagSearch)],
    [GroupMetatagsController, () => new GroupMetatagsController(services.metatagSearch)],
    [DevicesController, () => new DevicesController(services.devices)],
    [SensorDeviceController, () => new SensorDeviceController(services.devices)],
    [EnvironmentsController, () => new EnvironmentsController(services.environments)],
    [SubEnvironmentsController, () => new SubEnvironmentsController(services.environments)],
    [EnvironmentSensorsController, () => new EnvironmentSensorsController(services.environmentSensors)],
    [SensorEnvironmentController, () => new SensorEnvironmentController(services.environmentSensors)],
    [
      SensorServicesController,
      () => new SensorServicesController(services.sensorServices, services.serviceConnections),
    ],
    [ServiceMethodsController, () => new ServiceMethodsController(services.serviceMethods)],
    [EventsController, () => new EventsController(services.eventNotifications)],
    [ManualLearningController, () => new ManualLearningController(services.training)],
    [DataPointsController, () => new DataPointsController(services.dataPoints, services.clock, services.dataExport)],
    [StreamsController, () => new StreamsController(services.streams)],
    [SensorRetentionController, () => new SensorRetentionController(services.sensorRetention)],
    [TriggersController, () => new TriggersController(services.triggers)],
    [BacktestsController, () => new BacktestsController(services.triggers, services.backtests)],
    [SensorTriggersController, () => new SensorTriggersController(services.sensorTriggers)],
    [DecisionsController, () => new DecisionsController(services.sensorTriggers, services.decisionLog)],
    [FiringsController, () => new FiringsController(services.firings)],
    [MutesController, () => new MutesController(services.mutes)],
    [
      TriggerNotificationsController,
      () => new TriggerNotificationsController(services.triggerNotifications, services.notifications),
    ],
    [
      NotificationsController,
      () => new NotificationsController(services.notifications, services.deliveries, services.redeliveries),
    ],
    [GroupSensorsController, () => new GroupSensorsController(services.sensors, services.groupSensors)],
    [GroupsController, () => new GroupsController(services.groups, services.memberships)],
    [GroupUsersController, () => new GroupUsersController(services.groupMembers, services.memberships)],
    [DeliveriesController, () => new DeliveriesController(services.deliveries, services.redeliveries)],
    [AcknowledgementsController, () => new AcknowledgementsController(services.mailedAcknowledgements)],
    [ConfirmationsController, () => new ConfirmationsController(services.unsubscribes)],
    [ApplicationsController, () => new ApplicationsController(services.applications)],
    [AuthorizationsController, () => new AuthorizationsController(services.authorizations)],
    [UnsubscribesController, () => new UnsubscribesController(services.unsubscribes)],
  ]);
}
