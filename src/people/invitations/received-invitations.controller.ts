import {
  Body,
  Controller,
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
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type InvitationResponse, type InvitationsResponse, toInvitationView } from './invitation.view';
import { type AcceptInvitationRequest, readDisplay } from './invitations.request';
import type { ReceivedInvitationsService } from './received-invitations.service';

const ENDED: ErrorBody = {
  error: 'this invitation does not exist, or has ended: it was used or withdrawn, or its time is over',
  code: 'not_found',
};

@Route('invitations')
@Tags('Invitations')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class ReceivedInvitationsController extends Controller {
  constructor(private readonly invitations: ReceivedInvitationsService) {
    super();
  }

  /**
   * Lists the invitations to you that you can accept or decline, the newest first.
   * @summary List your invitations
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of invitations')
  @Response<ErrorBody>(400, 'Invalid input')
  async listInvitations(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<InvitationsResponse> {
    const { items, total } = await this.invitations.list(caller.userId, readPage(query));
    return { invitations: items.map(toInvitationView), total };
  }

  /**
   * Returns what an invitation offers, and what members of the group will see of you.
   * @summary Get an invitation
   * @param invitation The id of an invitation to you, or the token of a link
   * @example invitation "7Ldn0TtVbcTCBTlGq5m6Z4zq0T3rYkQfJ9w2nXhUa1s"
   */
  @Get('{invitation}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The invitation')
  @Response<ErrorBody>(404, 'There is no such invitation to you and no such link, or it has ended', ENDED)
  async getInvitation(@Path() invitation: string, @Inject() caller: Caller): Promise<InvitationResponse> {
    return { invitation: toInvitationView(await this.invitations.find(caller.userId, invitation)) };
  }

  /**
   * Makes you a member of the group with the rights of new members, or shares the sensor with you. Your sensors with
   * the names that the group asks for are shared into it. The user who invited you must still have the right to add
   * users to the group, or own the sensor. Accepting again changes nothing.
   * @summary Accept an invitation
   * @param invitation The id of an invitation to you, or the token of a link
   * @example invitation "7Ldn0TtVbcTCBTlGq5m6Z4zq0T3rYkQfJ9w2nXhUa1s"
   */
  @Post('{invitation}/accept')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The accepted invitation')
  @Response<ErrorBody>(400, 'Invalid input, or you lack a sensor that the group requires')
  @Response<ErrorBody>(403, 'You block the owner of the sensor', {
    error: 'you block the owner of this sensor: unblock them first',
    code: 'forbidden',
  })
  @Response<ErrorBody>(404, 'There is no such invitation to you and no such link, or it has ended', ENDED)
  async acceptInvitation(
    @Path() invitation: string,
    @Body() body: AcceptInvitationRequest,
    @Inject() caller: Caller,
  ): Promise<InvitationResponse> {
    const accepted = await this.invitations.accept(caller.userId, invitation, readDisplay(body));
    return { invitation: toInvitationView(accepted) };
  }

  /**
   * Declines an invitation to you. A link cannot be declined: it ends by itself.
   * @summary Decline an invitation
   * @param invitation The id of an invitation to you
   * @example invitation "12"
   */
  @Post('{invitation}/decline')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'You can no longer accept it')
  @Response<ErrorBody>(404, 'There is no such invitation to you, or it has ended', ENDED)
  async declineInvitation(@Path() invitation: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.invitations.decline(caller.userId, invitation);
    return {};
  }
}
