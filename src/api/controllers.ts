import { alertsControllers } from '../alerts/controllers';
import { archivesControllers } from '../archives/controllers';
import { auditControllers } from '../audit/controllers';
import type { Services } from '../container';
import type { ControllerClass, ControllerFactory } from '../edge/controller-factory';
import type { ReadModel } from '../edge/read-model';
import { gatewaysControllers } from '../gateways/controllers';
import { notificationsControllers } from '../notifications/controllers';
import { peopleControllers } from '../people/controllers';
import { pointsControllers } from '../points/controllers';
import { sensorsControllers } from '../sensors/controllers';

export type ControllerFactories = ReadonlyMap<ControllerClass, ControllerFactory[1]>;

/** `readModel` reads documents that are no bodies of JSON. */
export function listControllers(services: Services, readModel: ReadModel): ControllerFactories {
  return new Map([
    ...peopleControllers(services),
    ...auditControllers(services),
    ...sensorsControllers(services),
    ...pointsControllers(services),
    ...alertsControllers(services, readModel),
    ...notificationsControllers(services),
    ...gatewaysControllers(services),
    ...archivesControllers(services),
  ]);
}
