import { Controller, Inject, NoSecurity, Post, Queries, Response, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import type { Visitor } from '../../platform/caller';
import type { SubscriptionQuery } from '../events/events.request';
import type { UnsubscribesService } from './unsubscribes.service';

@Route('unsubscribe')
@Tags('Notifications')
@Response<ErrorBody>(400, 'Invalid token')
export class UnsubscribesController extends Controller {
  constructor(private readonly unsubscribes: UnsubscribesService) {
    super();
  }

  /**
   * Ends all mails to the address of the link by the user whose notification caused the mail; their notifications to
   * that address are disabled. `from=everybody` ends the mails of all users to that mailbox, in any letter case and
   * with any `+tag`: welcome mails and requests to confirm are no longer sent either, and links to a new password only
   * for accounts that the address has confirmed. Only the address itself can allow mails again, by `POST /confirm` with
   * the same token. Mail programs send this request without `from` for one-click unsubscription (RFC 8058). No session
   * is required.
   * @summary Unsubscribe from the mails of a user, or of all users
   */
  @Post()
  @NoSecurity()
  @SuccessResponse(200, 'No more of these mails are sent to the address')
  @Response<ErrorBody>(404, 'The subscription no longer exists', {
    error: 'this subscription does not exist',
    code: 'not_found',
  })
  async unsubscribe(@Queries() query: SubscriptionQuery, @Inject() _visitor: Visitor): Promise<EmptyResponse> {
    if (query.from === 'everybody') await this.unsubscribes.unsubscribeFromAll(query.token);
    else await this.unsubscribes.unsubscribe(query.token);
    return {};
  }
}
