import {
  Controller,
  Inject,
  NoSecurity,
  OperationId,
  Post,
  Query,
  Response,
  Route,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Visitor } from '../caller';
import type { UnsubscribesService } from '../services/notifications/unsubscribes.service';
import type { EmptyResponse } from '../views/empty.view';
import type { ErrorBody } from '../views/error.view';

@Route('unsubscribe')
@Tags('Notifications')
@Response<ErrorBody>(400, 'Invalid token')
export class UnsubscribesController extends Controller {
  constructor(private readonly unsubscribes: UnsubscribesService) {
    super();
  }

  /**
   * Ends all mails of the user whose notification a mail came from, to the address that it went to; their
   * notifications to that address are switched off. Only the address itself can allow them again, by
   * `POST /confirm` with the same token. Mail programs send this request for one-click unsubscription (RFC 8058). No
   * session is required, and the body is ignored.
   * @summary Unsubscribe from the mails of a user
   * @param token The token of the link in the mail
   * @example token "a17.o9Xyx3sJmVbHkGmX4n2f0mY0yqv3m1sG6m4kqz7F1aE"
   */
  @Post()
  @NoSecurity()
  @OperationId('unsubscribe')
  @SuccessResponse(200, 'No more mails of this user are sent to the address')
  @Response<ErrorBody>(404, 'The subscription no longer exists', {
    error: 'this subscription does not exist',
    code: 'not_found',
  })
  async unsubscribe(@Query() token: string, @Inject() _visitor: Visitor): Promise<EmptyResponse> {
    await this.unsubscribes.unsubscribe(token);
    return {};
  }
}
