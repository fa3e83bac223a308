import type { SensorAccess } from '../../access/sensor-access';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import type { Database } from '../../storage';
import type { NewMembers } from '../groups/new-members';
import { InvitationPlaces } from './invitation-places';
import { ReceivedInvitationsService } from './received-invitations.service';
import { SentInvitationsService } from './sent-invitations.service';

interface Parts {
  database: Database;
  clock: Clock;
  sensorAccess: SensorAccess;
  eventLog: EventLog;
  newMembers: NewMembers;
}

export function buildInvitations({ database, clock, sensorAccess, eventLog, newMembers }: Parts) {
  const places = new InvitationPlaces(sensorAccess, newMembers, eventLog, clock);
  return {
    sentInvitations: new SentInvitationsService(database, places, eventLog, clock),
    receivedInvitations: new ReceivedInvitationsService(database, places, clock),
  };
}
