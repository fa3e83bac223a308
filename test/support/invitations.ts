import type { ApiResponse } from './api-client';
import { create, type Fields } from './factories';
import type { TestUser } from './platform';

/** The id of a new invitation to a group or sensor (`/groups/1`): a link, unless `fields` name a user. */
export async function invite(user: Pick<TestUser, 'api'>, place: string, fields: Fields = {}): Promise<string> {
  return (await create(user, `${place}/invitations`, { invitation: fields })).invitation.id;
}

/** The token of a new link to a group or sensor. */
export async function inviteByLink(user: Pick<TestUser, 'api'>, place: string, fields: Fields = {}): Promise<string> {
  return (await create(user, `${place}/invitations`, { invitation: fields })).invitation.token;
}

/** By the id of an invitation to the user, or the token of a link. */
export function acceptInvitation({ api }: Pick<TestUser, 'api'>, reference: string, body = {}): Promise<ApiResponse> {
  return api.post(`/invitations/${reference}/accept`, body);
}

export function declineInvitation({ api }: Pick<TestUser, 'api'>, reference: string): Promise<ApiResponse> {
  return api.post(`/invitations/${reference}/decline`);
}
