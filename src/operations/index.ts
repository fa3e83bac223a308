import type { Pool } from 'mysql2/promise';
import { PausedReceivers } from '../delivery/paused-receivers';
import type { AuthorizationsService } from '../oauth/authorizations.service';
import type { Clock } from '../platform/clock';
import type { KeysService } from '../resources/accounts/keys.service';
import type { RedeliveriesService } from '../resources/deliveries/redeliveries.service';
import { Backlog } from './backlog';
import { DeliveryGroups } from './delivery-groups';
import { DeliveryTraces } from './delivery-traces';
import { UserCredentials } from './user-credentials';
import { Verification } from './verification';

/** The dependencies of the operators' use cases. */
interface OperationsSetting {
  pool: Pool;
  clock: Clock;
  keys: KeysService;
  authorizations: AuthorizationsService;
  redeliveries: RedeliveriesService;
  historyRetentionDays: number;
}

/** Builds the use cases of operators across all users. The API reaches none of them. */
export function buildOperations(setting: OperationsSetting) {
  const { pool, clock, keys, authorizations, redeliveries, historyRetentionDays } = setting;
  return {
    backlog: new Backlog(pool, clock),
    deliveryGroups: new DeliveryGroups(pool, redeliveries, clock),
    deliveryTraces: new DeliveryTraces(pool),
    pausedReceivers: new PausedReceivers(pool, clock),
    userCredentials: new UserCredentials(pool, keys, authorizations),
    verification: new Verification(pool, clock, historyRetentionDays),
  };
}
