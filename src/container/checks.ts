import { findWrongFleets, invariants as ofAlerts } from '../alerts';
import { invariants as ofGateways } from '../gateways';
import { invariants as ofNotifications } from '../notifications';
import { invariants as ofPeople } from '../people';
import { findDamagedChunks, invariants as ofPoints } from '../points';
import { invariants as ofSensors } from '../sensors';
import type { Invariant } from '../storage/invariant';

const OF_THE_QUARANTINE: readonly Invariant[] = [
  {
    name: 'no-work-is-set-aside',
    wrong: 'the work ended its processes and was set aside: see `npm run admin -- quarantine list`',
    sql: 'SELECT thing_id AS id FROM quarantine WHERE expires_ms > UNIX_TIMESTAMP() * 1000',
  },
];

/** All that is not a foreign key. */
export const INVARIANTS: readonly Invariant[] = [
  ...OF_THE_QUARANTINE,
  ...ofNotifications,
  ...ofAlerts,
  ...ofPoints,
  ...ofPeople,
  ...ofSensors,
  ...ofGateways,
];

/** What no single statement can check. */
export const computedChecks = { findWrongFleets, findDamagedChunks };
