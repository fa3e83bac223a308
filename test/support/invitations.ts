import assert from 'node:assert/strict';
import type { ApiResponse } from './api-client';
import { create, type Fields } from './factories';
import type { TestUser } from './platform';

type User = Pick<TestUser, 'api'>;

const ENDED = 'this invitation does not exist, or has ended: it was used or withdrawn, or its time is over';

/** `/groups/1` or `/sensors/1`. */
export function idIn(place: string): string {
  return place.split('/')[2] ?? '';
}

export function postInvitation({ api }: User, place: string, invitation: Fields): Promise<ApiResponse> {
  return api.post(`${place}/invitations`, { invitation });
}

/** The id of a new invitation to a group or sensor (`/groups/1`): a link, unless `fields` name a user. */
export async function invite(user: User, place: string, fields: Fields = {}): Promise<string> {
  return (await create(user, `${place}/invitations`, { invitation: fields })).invitation.id;
}

/** The token of a new link to a group or sensor. */
export async function inviteByLink(user: User, place: string, fields: Fields = {}): Promise<string> {
  return (await create(user, `${place}/invitations`, { invitation: fields })).invitation.token;
}

/** By the id of an invitation to the user, or the token of a link. */
export function acceptInvitation({ api }: User, reference: string, body = {}): Promise<ApiResponse> {
  return api.post(`/invitations/${reference}/accept`, body);
}

export function declineInvitation({ api }: User, reference: string): Promise<ApiResponse> {
  return api.post(`/invitations/${reference}/decline`);
}

export async function receivedBy({ api }: User) {
  return (await api.get('/invitations')).body.invitations;
}

export async function sentBy({ api }: User, place: string) {
  return (await api.get(`${place}/invitations`)).body.invitations;
}

/** The same, whatever is wrong with an invitation. */
export function assertEnded({ status, body }: ApiResponse): void {
  assert.deepEqual([status, body], [404, { error: ENDED, code: 'not_found' }]);
}
