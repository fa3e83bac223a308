import type { ControllerFactory } from '../edge/controller-factory';
import type { buildNotifications } from './build-notifications';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { EventsController } from './events/events.controller';
import { ConfirmationsController } from './notifications/confirmations.controller';
import { NotificationsController } from './notifications/notifications.controller';
import { PresetsController } from './notifications/presets.controller';
import { PreviewsController } from './notifications/previews.controller';
import { UnsubscribesController } from './notifications/unsubscribes.controller';

type Services = ReturnType<typeof buildNotifications>['services'];

/** Controllers are created for one request. */
export function notificationsControllers(services: Services): ControllerFactory[] {
  return [
    [EventsController, () => new EventsController(services.eventNotifications)],
    [PreviewsController, () => new PreviewsController(services.notificationPreviews)],
    [
      NotificationsController,
      () => new NotificationsController(services.notifications, services.deliveries, services.redeliveries),
    ],
    [DeliveriesController, () => new DeliveriesController(services.deliveries, services.redeliveries)],
    [ConfirmationsController, () => new ConfirmationsController(services.unsubscribes)],
    [PresetsController, () => new PresetsController()],
    [UnsubscribesController, () => new UnsubscribesController(services.unsubscribes)],
  ];
}

export { NotificationsController };
