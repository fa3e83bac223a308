import { type AuditedModel, GROUP, SENSOR } from '../audit';
import { ApiKey } from '../storage/models/api-key.model';
import { Application } from '../storage/models/application.model';
import { Authorization } from '../storage/models/authorization.model';
import { GroupSensor } from '../storage/models/group-sensor.model';
import { GroupUser } from '../storage/models/group-user.model';
import { Identity } from '../storage/models/identity.model';
import { Invitation } from '../storage/models/invitation.model';
import { Passkey } from '../storage/models/passkey.model';
import { SensorUser } from '../storage/models/sensor-user.model';
import { Session } from '../storage/models/session.model';
import { TotpSecret } from '../storage/models/totp-secret.model';
import { User } from '../storage/models/user.model';
import { UserBlock } from '../storage/models/user-block.model';
import { UserGroup } from '../storage/models/user-group.model';

const ACCOUNTS: readonly AuditedModel[] = [
  {
    ...{ model: User, kind: 'user', name: 'username', owner: 'id' },
    shown: [
      ...['username', 'email', 'name', 'surname', 'mobile', 'address', 'zipcode', 'country', 'timezone', 'language'],
      ...['weeklyReportDay', 'weeklyReportHour', 'closedMs', 'disabledMs'],
    ],
    secret: ['passwordHash'],
    quiet: ['uuid', 'usernameKey', 'usernameLooks', 'weeklyReportDueMs', 'weeklyReportedMs', 'createdMs'],
  },
  {
    ...{ model: Session, kind: 'session', owner: 'userId' },
    shown: ['address', 'userAgent', 'identityId'],
    quiet: ['tokenHash', 'createdMs', 'usedMs'],
  },
  {
    ...{ model: Identity, kind: 'identity', owner: 'userId' },
    shown: ['issuer', 'subject'],
    quiet: ['name', 'createdMs', 'usedMs'],
  },
  {
    ...{ model: TotpSecret, kind: 'user', id: 'userId', owner: 'userId' },
    item: { list: 'authenticator', attributes: ['createdMs'] },
    shown: ['confirmedMs'],
    quiet: ['secret', 'usedMs', 'lastStep'],
  },
  {
    ...{ model: Passkey, kind: 'passkey', name: 'name', owner: 'userId' },
    shown: ['name'],
    quiet: ['credentialHash', 'credentialId', 'publicKey', 'transports', 'counter', 'createdMs', 'usedMs'],
  },
  {
    ...{ model: ApiKey, kind: 'key', name: 'name', owner: 'ownerId' },
    shown: ['name', 'scopes', 'sensors', 'expiresMs', 'createLimit'],
    quiet: ['secretHash', 'hint', 'createdMs', 'usedMs'],
  },
  {
    ...{ model: Application, kind: 'application', name: 'name', owner: 'ownerId' },
    shown: ['name', 'description', 'type', 'callbackUrls', 'closedMs'],
    secret: ['encryptedSecret'],
    quiet: ['consumerKey', 'createdMs'],
  },
  {
    ...{ model: Authorization, kind: 'authorization', owner: 'userId' },
    shown: ['applicationId', 'scopes', 'expiresMs'],
    quiet: ['createdMs', 'lastUsedMs'],
  },
  {
    ...{ model: UserBlock, kind: 'user', id: 'userId', owner: 'userId' },
    item: { list: 'blocked_users', attributes: ['blockedId'] },
    quiet: ['knowsName', 'createdMs'],
  },
  {
    ...{ model: SensorUser, kind: 'sensor', id: 'sensorId', parent: { by: SENSOR, key: 'sensorId' } },
    item: { list: 'users', attributes: ['userId'] },
    quiet: ['createdMs', 'unseen'],
  },
];

const RIGHTS = [
  'listUsers',
  'addUsers',
  'removeUsers',
  'listSensors',
  'addSensors',
  'removeSensors',
  'seeAlerts',
  'handleAlerts',
];
const DETAILS = ['FirstName', 'Surname', 'Email', 'PhoneNumber', 'Username', 'Id'];
const ADDRESS = ['Zipcode', 'Address', 'Country'];
const withPrefix = (prefix: string, names: readonly string[]) => names.map((name) => `${prefix}${name}`);
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const GROUPS: readonly AuditedModel[] = [
  {
    ...{ model: UserGroup, kind: 'group', name: 'name' },
    shown: [
      ...['name', 'email', 'username', 'mobile', 'description', 'isPublic', 'isHidden', 'isAnonymous'],
      ...['requiredSensors', 'optionalSensors', ...withPrefix('default', RIGHTS.map(capital))],
      ...withPrefix('requiredShow', [...DETAILS, ...ADDRESS]),
    ],
    secret: ['passwordHash', 'accessPasswordHash'],
    quiet: ['demandsVersion', 'createdMs'],
  },
  {
    ...{ model: GroupUser, kind: 'group', id: 'groupId' },
    affects: { account: 'userId', kind: 'membership', by: GROUP },
    item: { list: 'users', attributes: ['userId'], hasDetails: true },
    shown: ['accepted', 'isProvided', ...RIGHTS, 'editGroup', ...withPrefix('show', DETAILS)],
    quiet: [...withPrefix('agreed', [...DETAILS, ...ADDRESS]), 'demandsVersion', 'offeredSensors', 'createdMs'],
  },
  {
    ...{ model: GroupSensor, kind: 'group', id: 'groupId' },
    item: { list: 'sensors', attributes: ['sensorId'] },
    quiet: ['userId', 'createdMs'],
  },
  {
    ...{ model: Invitation, kind: 'invitation', owner: 'inviterId', group: 'groupId' },
    affects: { account: 'userId', kind: 'invitation' },
    shown: ['groupId', 'sensorId', 'userId', 'usesLeft', 'declined', 'expiresMs'],
    quiet: ['tokenHash', 'createdMs'],
  },
];

export const auditedModels: readonly AuditedModel[] = [...ACCOUNTS, ...GROUPS];
