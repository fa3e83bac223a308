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

@Route('sensors')
@Tags('Invitations')
@Response<ErrorBody>(401, 'No valid session, key or token')
@Response<ErrorBody>(403, 'You can see the sensor, but do not own it; or the user refuses it')
@Response<ErrorBody>(404, 'The sensor, the user or the invitation does not exist, or you cannot see the sensor')
export class SensorInvitationsController extends Controller {
  constructor(private readonly invitations: SentInvitationsService) {
    super();
  }

  /**
   * Lists the invitations to a sensor that can be accepted or were declined, ordered by id, until they end. Only the owner of the sensor may.
   * @summary List the invitations to a sensor
   */
  @Get('{id}/invitations')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of invitations')
  @Response<ErrorBody>(400, 'Invalid input')
  async listSensorInvitations(
    @Path() id: string,
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<SentInvitationsResponse> {
    const place = { sensorId: readId(id, 'sensor') };
    const { items, total } = await this.invitations.list(caller.userId, place, readPage(query));
    return { invitations: items.map(toSentInvitationView), total };
  }

  /**
   * Invites a user to a sensor, or creates a link with which others can read it and all its data. The user or the reader of the link decides,
   * and sees your username. Inviting a user again gives the invitation the new end. A sensor can have 100 open
   * invitations, and a user can send 60 an hour. Only the owner of the sensor may.
   * @summary Invite to a sensor
   */
  @Post('{id}/invitations')
  @Security('credential', ['write'])
  @SuccessResponse(201, 'The user is invited, or the link works')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(409, 'The user needs no invitation, or too many are open', {
    error: 'the user sees the sensor already',
    code: 'conflict',
  })
  @Response<ErrorBody>(429, 'Too many invitations in this hour; see `Retry-After`', {
    error: 'too many invitations in this hour; try again later',
    code: 'rate_limited',
  })
  async inviteToSensor(
    @Path() id: string,
    @Body() body: CreateInvitationRequest,
    @Inject() caller: Caller,
  ): Promise<NewInvitationResponse> {
    const place = { sensorId: readId(id, 'sensor') };
    const sent = await this.invitations.create(caller.userId, place, readNewInvitation(body.invitation));
    this.setStatus(201);
    return { invitation: toNewInvitationView(sent) };
  }

  /**
   * Withdraws an invitation: it can no longer be accepted. What was accepted stays. Only the owner of the sensor may.
   * @summary Withdraw an invitation to a sensor
   */
  @Delete('{id}/invitations/{invitation_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The invitation was withdrawn')
  async withdrawSensorInvitation(
    @Path() id: string,
    @Path() invitation_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    const place = { sensorId: readId(id, 'sensor') };
    await this.invitations.withdraw(caller.userId, place, readId(invitation_id, 'invitation'));
    return {};
  }
}
