import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Path,
  Post,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import {
  type NewInvitationResponse,
  type SentInvitationsResponse,
  toNewInvitationView,
  toSentInvitationView,
} from './invitation.view';
import { type CreateInvitationRequest, readNewInvitation } from './invitations.request';
import type { SentInvitationsService } from './sent-invitations.service';

@Route('groups')
@Tags('Invitations')
@Response<ErrorBody>(401, 'No valid session, key or token')
@Response<ErrorBody>(403, 'You are not a member, or lack the right to add users')
@Response<ErrorBody>(404, 'The group, the user or the invitation does not exist, or the group is hidden from you')
export class GroupInvitationsController extends Controller {
  constructor(private readonly invitations: SentInvitationsService) {
    super();
  }

  /**
   * Lists the invitations to a group that can be accepted or were declined, ordered by id, until they end. Requires the right to add users.
   * @summary List the invitations to a group
   */
  @Get('{group_id}/invitations')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of invitations')
  @Response<ErrorBody>(400, 'Invalid input')
  async listGroupInvitations(
    @Path() group_id: string,
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<SentInvitationsResponse> {
    const place = { groupId: readId(group_id, 'group') };
    const { items, total } = await this.invitations.list(caller.userId, place, readPage(query));
    return { invitations: items.map(toSentInvitationView), total };
  }

  /**
   * Invites a user to a group, or creates a link with which others can join it at once. The user or the reader of the link decides,
   * and sees your username. Inviting a user again gives the invitation the new end. A group can have 100 open
   * invitations, and a user can send 60 an hour. Requires the right to add users.
   * @summary Invite to a group
   */
  @Post('{group_id}/invitations')
  @Security('credential', ['write'])
  @SuccessResponse(201, 'The user is invited, or the link works')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(409, 'The user needs no invitation, or too many are open', {
    error: 'the user is a member already',
    code: 'conflict',
  })
  @Response<ErrorBody>(429, 'Too many invitations in this hour; see `Retry-After`', {
    error: 'too many invitations in this hour; try again later',
    code: 'rate_limited',
  })
  async inviteToGroup(
    @Path() group_id: string,
    @Body() body: CreateInvitationRequest,
    @Inject() caller: Caller,
  ): Promise<NewInvitationResponse> {
    const place = { groupId: readId(group_id, 'group') };
    const sent = await this.invitations.create(caller.userId, place, readNewInvitation(body.invitation));
    this.setStatus(201);
    return { invitation: toNewInvitationView(sent) };
  }

  /**
   * Withdraws an invitation: it can no longer be accepted. What was accepted stays. Requires the right to add users.
   * @summary Withdraw an invitation to a group
   */
  @Delete('{group_id}/invitations/{invitation_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The invitation was withdrawn')
  async withdrawGroupInvitation(
    @Path() group_id: string,
    @Path() invitation_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    const place = { groupId: readId(group_id, 'group') };
    await this.invitations.withdraw(caller.userId, place, readId(invitation_id, 'invitation'));
    return {};
  }
}
