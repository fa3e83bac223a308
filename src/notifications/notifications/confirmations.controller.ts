import { Controller, Inject, NoSecurity, Post, Queries, Response, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import type { Visitor } from '../../platform/caller';
import type { SubscriptionQuery } from '../events/events.request';
import type { UnsubscribesService } from './unsubscribes.service';

@Route('confirm')
@Tags('Notifications')
@Response<ErrorBody>(400, 'Invalid token')
export class ConfirmationsController extends Controller {
  constructor(private readonly subscriptions: UnsubscribesService) {
    super();
  }

  /**
   * Allows the mails of a user to the address of the link, even if they were ended by unsubscribing. `from=everybody`
   * withdraws the mailbox's refusal of all mails, and confirms nothing: the decisions on single users apply again. No
   * session is required.
   * @summary Confirm the address of mails
   */
  @Post()
  @NoSecurity()
  @SuccessResponse(200, 'These mails to the address are allowed')
  @Response<ErrorBody>(404, 'The subscription no longer exists', {
    error: 'this subscription does not exist',
    code: 'not_found',
  })
  async confirmAddress(@Queries() query: SubscriptionQuery, @Inject() _visitor: Visitor): Promise<EmptyResponse> {
    if (query.from === 'everybody') await this.subscriptions.allowAll(query.token);
    else await this.subscriptions.allow(query.token);
    return {};
  }
}
