import {
  Controller,
  Inject,
  NoSecurity,
  Post,
  Queries,
  Query,
  Response,
  Route,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import type { Visitor } from '../../platform/caller';
import { type LinkedMuteQuery, readUntil } from './acknowledgements.request';
import type { LinkAcknowledgements } from './link-acknowledgements';

@Route('acknowledge')
@Tags('Firings')
@Response<ErrorBody>(400, 'Invalid token')
export class AcknowledgementsController extends Controller {
  constructor(private readonly acknowledgements: LinkAcknowledgements) {
    super();
  }

  /**
   * Acknowledges the firing of a mail or of another delivery on behalf of its owner: it is not repeated until its
   * episode ends. The token is valid for this firing only. No session is required, and the body is ignored.
   * @summary Acknowledge a firing by the link in an alert
   * @param token The token of the link
   * @example token "k17-207.o9Xyx3sJmVbHkGmX4n2f0mY0yqv3m1sG6m4kqz7F1aE"
   */
  @Post()
  @NoSecurity()
  @SuccessResponse(200, 'The firing is acknowledged')
  @Response<ErrorBody>(404, 'The firing no longer exists', {
    error: 'the firing does not exist',
    code: 'not_found',
  })
  @Response<ErrorBody>(409, 'The episode has ended', { error: 'the episode has ended', code: 'conflict' })
  async acknowledgeByMail(@Query() token: string, @Inject() _visitor: Visitor): Promise<EmptyResponse> {
    await this.acknowledgements.acknowledge(token);
    return {};
  }

  /**
   * Mutes the trigger on the sensor of the alert on behalf of its owner, until a time that is at most twelve hours ahead:
   * firings are recorded and not delivered. The mute has the name of the link, and is one: a repeated request moves its
   * end. The token is valid for this firing only. No session is required, and the body is ignored.
   * @summary Mute an alert by the link in it
   */
  @Post('mute')
  @NoSecurity()
  @SuccessResponse(200, 'The trigger is muted on the sensor')
  @Response<ErrorBody>(404, 'The firing no longer exists', {
    error: 'the firing does not exist',
    code: 'not_found',
  })
  @Response<ErrorBody>(409, 'The episode has ended', { error: 'the episode has ended', code: 'conflict' })
  async muteByLink(@Queries() query: LinkedMuteQuery, @Inject() _visitor: Visitor): Promise<EmptyResponse> {
    await this.acknowledgements.mute(query.token, readUntil(query));
    return {};
  }
}
