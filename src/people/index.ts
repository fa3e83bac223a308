export { AccountRemoval } from './accounts/account-removal';
export type { BearerTokens } from './accounts/bearer-tokens';
export type { DisabledAccounts } from './accounts/disabled-accounts';
export { findUser, type UserReference } from './accounts/find-users';
export type { KeysService } from './accounts/keys.service';
export type { NamedUser } from './accounts/named-user.request';
export {
  type PublicUserResponse,
  type PublicUsersResponse,
  type PublicUserView,
  toPublicUserView,
} from './accounts/public-user.view';
export { RefusedLogins } from './accounts/refused-logins';
export { addShare, isShared } from './accounts/sensor-shares';
export { expiredSessionCookie, sessionCookie } from './accounts/session.view';
export type { SessionsService } from './accounts/sessions.service';
export { lockReader, refuseShare, requireAcceptance } from './accounts/share-refusals';
export { toUserView } from './accounts/user.view';
export { buildPeople } from './build-people';
export type { SecondFactorsService } from './factors/second-factors.service';
export { forgetFormerMemberships } from './groups/former-members';
export { toGroupView } from './groups/group.view';
export { leaveGroups, leaveGroupsOfSensors } from './groups/group-departure';
export type { GroupSensorsService } from './groups/group-sensors.service';
export {
  type AddGroupSensorsRequest,
  type GroupSensorListQuery,
  readGroupSensorFilter,
  readGroupSensors,
} from './groups/group-users.request';
export { type GroupFields, readGroup } from './groups/groups.request';
export { invariants } from './invariants';
export { forgetInvitations } from './invitations/forget-invitations';
export { removeApplications } from './oauth/applications-of-closed-accounts';
export type { AuthorizationsService, ListedAuthorization } from './oauth/authorizations.service';
export { type ArrivedRequest, isOAuth1, type Place } from './oauth/oauth1/signed-request';
export { OAUTH1_SCOPES, type OAuth1Access } from './oauth/oauth1-access';
export type { Outcome } from './oauth/oauth1-consents.service';
export type { IssuedToken } from './oauth/oauth1-tokens';
export type { OAuth2Parameters } from './oauth/oauth2/authorization-request';
export { type GivenClient, GRANT_TYPES, type GrantType, mayUse } from './oauth/oauth2-clients';
export type { OAuth2Request, RefusedRequest } from './oauth/oauth2-consents.service';
export { ACCESS_SECONDS, type IssuedTokens } from './oauth/oauth2-tokens';
export type { Oidc } from './oidc/build-oidc';
export type { LinkingSession } from './oidc/identities.service';
export { operatorRuleOf, type Profile } from './oidc/profile';
export type { LoginProof } from './oidc/provider';
