import type { ControllerFactory } from '../edge/controller-factory';
import { BlockedUsersController } from './accounts/blocked-users.controller';
import { KeysController } from './accounts/keys.controller';
import { SessionsController } from './accounts/sessions.controller';
import { UserSessionsController } from './accounts/user-sessions.controller';
import { UsersController } from './accounts/users.controller';
import type { buildPeople } from './build-people';
import { PasskeyLoginController } from './factors/passkey-login.controller';
import { PasskeysController } from './factors/passkeys.controller';
import { SecondFactorsController } from './factors/second-factors.controller';
import { GroupUsersController } from './groups/group-users.controller';
import { GroupsController } from './groups/groups.controller';
import { GroupInvitationsController } from './invitations/group-invitations.controller';
import { ReceivedInvitationsController } from './invitations/received-invitations.controller';
import { SensorInvitationsController } from './invitations/sensor-invitations.controller';
import { ApplicationsController } from './oauth/applications.controller';
import { AuthorizationsController } from './oauth/authorizations.controller';
import { IdentitiesController } from './oidc/identities.controller';

type Services = ReturnType<typeof buildPeople>['services'];

export function peopleControllers(services: Services): ControllerFactory[] {
  return [
    [SessionsController, () => new SessionsController(services.sessions, services.accounts, services.passwordResets)],
    [UsersController, () => new UsersController(services.users, services.registrations)],
    [UserSessionsController, () => new UserSessionsController(services.sessions)],
    [IdentitiesController, () => new IdentitiesController(services.identities)],
    [SecondFactorsController, () => new SecondFactorsController(services.secondFactors, services.passkeys)],
    [PasskeysController, () => new PasskeysController(services.passkeys)],
    [PasskeyLoginController, () => new PasskeyLoginController(services.passkeys)],
    [KeysController, () => new KeysController(services.keys)],
    [BlockedUsersController, () => new BlockedUsersController(services.blockedUsers)],
    [ApplicationsController, () => new ApplicationsController(services.applications)],
    [AuthorizationsController, () => new AuthorizationsController(services.authorizations)],
    [GroupsController, () => new GroupsController(services.groups, services.memberships)],
    [GroupUsersController, () => new GroupUsersController(services.groupMembers, services.memberships)],
    [GroupInvitationsController, () => new GroupInvitationsController(services.sentInvitations)],
    [SensorInvitationsController, () => new SensorInvitationsController(services.sentInvitations)],
    [ReceivedInvitationsController, () => new ReceivedInvitationsController(services.receivedInvitations)],
  ];
}
