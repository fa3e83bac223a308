import { alertsControllers } from '../alerts/controllers';
import type { Services } from '../container';
import type { ControllerClass, ControllerFactory } from '../edge/controller-factory';
import { gatewaysControllers } from '../gateways/controllers';
import { notificationsControllers } from '../notifications/controllers';
import { peopleControllers } from '../people/controllers';
import { pointsControllers } from '../points/controllers';
import { sensorsControllers } from '../sensors/controllers';

export type ControllerFactories = ReadonlyMap<ControllerClass, ControllerFactory[1]>;

export function listControllers(services: Services): ControllerFactories {
  return new Map([
    ...peopleControllers(services),
    ...sensorsControllers(services),
    ...pointsControllers(services),
    ...alertsControllers(services),
    ...notificationsControllers(services),
    ...gatewaysControllers(services),
  ]);
}
