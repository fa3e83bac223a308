import { Controller, Inject, NoSecurity, Post, Query, Response, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import type { Visitor } from '../../platform/caller';
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
}
