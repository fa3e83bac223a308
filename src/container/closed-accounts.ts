import { buildEpisodes, deleteTriggers, hasTriggers } from '../alerts';
import { deleteArchives } from '../archives';
import { removeHistory } from '../audit';
import { deleteMqttSources } from '../gateways';
import { deleteNotifications } from '../notifications';
import { AccountRemoval, forgetFormerMemberships, forgetInvitations, leaveGroups, removeApplications } from '../people';
import { deleteDashboards, SensorsOfClosedAccounts } from '../sensors';
import type { Ground } from './ground';

/** Removes what each wing has of a closed account. */
export function buildRemoval(ground: Ground, { ends }: ReturnType<typeof buildEpisodes>): AccountRemoval {
  const { database, clock, logger, eventLog } = ground;
  const closed = new SensorsOfClosedAccounts(database, { events: eventLog, ends }, clock);
  // What others can see goes first: nothing is delivered from the first step on.
  const steps = [
    deleteArchives,
    deleteDashboards,
    deleteMqttSources,
    deleteNotifications,
    closed.seenByOthers,
    closed.shares,
    leaveGroups(eventLog, clock),
    forgetFormerMemberships,
    forgetInvitations,
    closed.all,
    deleteTriggers,
    removeApplications,
    closed.places,
    removeHistory,
  ];
  return new AccountRemoval(database, clock, logger, steps, hasTriggers);
}
