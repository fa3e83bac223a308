import type { SensorAccess } from '../../access/sensor-access';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import type { Database } from '../../storage';
import type { GuardedPasswords } from '../accounts/guarded-passwords';
import type { Passwords } from '../accounts/passwords';
import { GroupMembersService } from './group-members.service';
import { GroupSensorsService } from './group-sensors.service';
import { GroupsService } from './groups.service';
import { MembershipsService } from './memberships.service';
import { NewMembers } from './new-members';
import { ProvidedMemberships } from './provided-memberships';

interface Parts {
  database: Database;
  clock: Clock;
  sensorAccess: SensorAccess;
  eventLog: EventLog;
  logger: Logger;
  passwords: Passwords;
  guardedPasswords: GuardedPasswords;
}

export function buildGroups({ database, clock, sensorAccess, eventLog, logger, ...parts }: Parts) {
  const { passwords, guardedPasswords } = parts;
  const groupSensors = new GroupSensorsService(database, sensorAccess, eventLog, clock);
  const newMembers = new NewMembers(groupSensors, eventLog, clock);
  return {
    groups: new GroupsService(database, passwords, eventLog, clock),
    groupMembers: new GroupMembersService(database, eventLog),
    groupSensors,
    newMembers,
    providedMemberships: new ProvidedMemberships(database, newMembers, eventLog, logger),
    memberships: new MembershipsService(database, guardedPasswords, groupSensors, newMembers, eventLog),
  };
}
