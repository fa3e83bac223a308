import type { ControllerFactory } from '../edge/controller-factory';
import type { ReadModel } from '../edge/read-model';
import type { NotificationsService } from '../notifications';
import type { Clock } from '../platform/clock';
import { BacktestsController } from './backtests/backtests.controller';
import type { buildAlerts } from './build-alerts';
import type { DecisionLog } from './evaluation/decision-log';
import { AcknowledgementsController } from './firings/acknowledgements.controller';
import { FiringsController } from './firings/firings.controller';
import { MutesController } from './mutes/mutes.controller';
import { NoiseController } from './noise/noise.controller';
import { RuleSetsController } from './rule-sets/rule-sets.controller';
import { ShadowsController } from './shadows/shadows.controller';
import { DecisionsController } from './triggers/decisions.controller';
import { SensorTriggersController } from './triggers/sensor-triggers.controller';
import { TriggerNotificationsController } from './triggers/trigger-notifications.controller';
import { TriggersController } from './triggers/triggers.controller';
import { WholeTriggerNotificationsController } from './triggers/whole-trigger-notifications.controller';

type Services = ReturnType<typeof buildAlerts>['services'] & {
  notifications: NotificationsService;
  decisionLog: DecisionLog;
  clock: Clock;
};

export function alertsControllers(services: Services, readModel: ReadModel): ControllerFactory[] {
  return [
    [TriggersController, () => new TriggersController(services.triggers)],
    [BacktestsController, () => new BacktestsController(services.triggers, services.backtests)],
    [ShadowsController, () => new ShadowsController(services.triggers, services.shadows, services.shadowReports)],
    [SensorTriggersController, () => new SensorTriggersController(services.sensorTriggers)],
    [
      DecisionsController,
      () => new DecisionsController(services.sensorTriggers, services.decisionLog, services.firings),
    ],
    [FiringsController, () => new FiringsController(services.firings, services.bulkFirings)],
    [RuleSetsController, () => new RuleSetsController(services.ruleSets, readModel)],
    [MutesController, () => new MutesController(services.mutes)],
    [NoiseController, () => new NoiseController(services.noise, services.suggestions, services.clock)],
    [
      TriggerNotificationsController,
      () => new TriggerNotificationsController(services.triggerNotifications, services.notifications),
    ],
    [
      WholeTriggerNotificationsController,
      () => new WholeTriggerNotificationsController(services.wholeTriggerNotifications, services.notifications),
    ],
    [AcknowledgementsController, () => new AcknowledgementsController(services.linkAcknowledgements)],
  ];
}
