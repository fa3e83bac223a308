import type { Socket } from 'node:net';
import { Sequelize } from 'sequelize-typescript';
import { ApiKey } from './api-key.model';
import { Application } from './application.model';
import { Archive } from './archive.model';
import { ArchivePart } from './archive-part.model';
import { Authorization } from './authorization.model';
import { ConnectedSensor } from './connected-sensor.model';
import { Dashboard } from './dashboard.model';
import { DegradedReceiver } from './degraded-receiver.model';
import { DeletedThing } from './deleted-thing.model';
import { Delivery } from './delivery.model';
import { DeliveryAttempt } from './delivery-attempt.model';
import { Device } from './device.model';
import { DeviceSensor } from './device-sensor.model';
import { Environment } from './environment.model';
import { EnvironmentSensor } from './environment-sensor.model';
import { Event } from './event.model';
import { EventNotification } from './event-notification.model';
import { exactDoubles } from './exact-doubles';
import { Firing } from './firing.model';
import { FloorPlan } from './floor-plan.model';
import { FormerMember } from './former-member.model';
import { FormerSensorDemands } from './former-sensor-demands.model';
import { GroupSensor } from './group-sensor.model';
import { GroupUser } from './group-user.model';
import { Identity } from './identity.model';
import { Invitation } from './invitation.model';
import { LoginNetwork } from './login-network.model';
import { MailRecipient } from './mail-recipient.model';
import { Metatag } from './metatag.model';
import { MqttSource } from './mqtt-source.model';
import { Mute } from './mute.model';
import { Note } from './note.model';
import { Notification } from './notification.model';
import { OAuth1Nonce } from './oauth1-nonce.model';
import { OAuth1Token } from './oauth1-token.model';
import { OAuth2Grant } from './oauth2-grant.model';
import { OAuth2Token } from './oauth2-token.model';
import { Passkey } from './passkey.model';
import { PasswordReset } from './password-reset.model';
import { PausedReceiver } from './paused-receiver.model';
import { RecoveryCode } from './recovery-code.model';
import { RefusedShare } from './refused-share.model';
import { RuleSetItem } from './rule-set-item.model';
import { SelectorOwner } from './selector-owner.model';
import { Sensor } from './sensor.model';
import { SensorListVersion } from './sensor-list-version.model';
import { SensorTrigger } from './sensor-trigger.model';
import { SensorTriggerNotification } from './sensor-trigger-notification.model';
import { SensorUser } from './sensor-user.model';
import { SeriesName } from './series.model';
import { Service } from './service.model';
import { ServiceExample } from './service-example.model';
import { ServiceInputRow } from './service-input-row.model';
import { Session } from './session.model';
import { ThrottledDelivery } from './throttled-delivery.model';
import { TotpSecret } from './totp-secret.model';
import { TrainingJob } from './training-job.model';
import { Trigger } from './trigger.model';
import { TriggerNotification } from './trigger-notification.model';
import { TriggerShadow } from './trigger-shadow.model';
import { TriggerVersion } from './trigger-version.model';
import { User } from './user.model';
import { UserBlock } from './user-block.model';
import { UserGroup } from './user-group.model';

export const models = [
  User,
  Session,
  Identity,
  PasswordReset,
  TotpSecret,
  RecoveryCode,
  Passkey,
  LoginNetwork,
  Sensor,
  SensorListVersion,
  SensorUser,
  RefusedShare,
  UserBlock,
  ConnectedSensor,
  Metatag,
  Note,
  Trigger,
  TriggerShadow,
  TriggerVersion,
  RuleSetItem,
  SensorTrigger,
  MqttSource,
  Dashboard,
  Mute,
  Notification,
  MailRecipient,
  SensorTriggerNotification,
  TriggerNotification,
  SelectorOwner,
  Firing,
  Delivery,
  DeliveryAttempt,
  ThrottledDelivery,
  DegradedReceiver,
  PausedReceiver,
  DeletedThing,
  Event,
  EventNotification,
  UserGroup,
  GroupUser,
  FormerMember,
  FormerSensorDemands,
  GroupSensor,
  Invitation,
  Device,
  DeviceSensor,
  Environment,
  EnvironmentSensor,
  FloorPlan,
  SeriesName,
  Service,
  ServiceInputRow,
  ServiceExample,
  TrainingJob,
  ApiKey,
  Application,
  Authorization,
  OAuth1Token,
  OAuth2Grant,
  OAuth2Token,
  OAuth1Nonce,
  Archive,
  ArchivePart,
];

/** BIGINT is read as number: ids and milliseconds fit in 53 bits. */
export function connectModels(mysqlUrl: string, idleMs = 10_000, openSocket?: (driver: never) => Socket): Sequelize {
  return new Sequelize(mysqlUrl, {
    dialect: 'mysql',
    models,
    logging: false,
    timezone: '+00:00',
    pool: { max: 10, min: 0, acquire: 10_000, idle: idleMs },
    dialectOptions: {
      charset: 'utf8mb4',
      supportBigNumbers: true,
      typeCast: exactDoubles,
      connectTimeout: 5_000,
      stream: openSocket,
    },
    define: { timestamps: false },
  });
}
