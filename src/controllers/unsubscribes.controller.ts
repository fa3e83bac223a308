import { Controller, Inject, OperationId, Post, Query, Response, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Visitor } from '../caller';
import type { UnsubscribesService } from '../services/notifications/unsubscribes.service';
import type { EmptyView } from '../views/empty.view';
import type { ErrorBody } from '../views/error.view';

@Route('unsubscribe')
@Tags('Notifications')
@Response<ErrorBody>(400, 'This is no token')
export class UnsubscribesController extends Controller {
  constructor(private readonly unsubscribes: UnsubscribesService) {
    super();
  }

  /**
   * Switches the notification off that a mail came from. Mail programs send this request when their user wants no more
   * such mails (RFC 8058); no session is needed, and a body is not looked at.
   * @summary Unsubscribe from the mails of a notification
   * @param token The token of the link in the mail
   * @example token "17.o9Xyx3sJmVbHkGmX4n2f0mY0yqv3m1sG6m4kqz7F1aE"
   */
  @Post()
  @OperationId('unsubscribe')
  @SuccessResponse(200, 'No more mails will come')
  @Response<ErrorBody>(404, 'There is no such subscription any more', {
    error: 'this subscription does not exist',
    code: 'not_found',
  })
  async unsubscribe(@Query() token: string, @Inject() _visitor: Visitor): Promise<EmptyView> {
    await this.unsubscribes.unsubscribe(token);
    return {};
  }
}
