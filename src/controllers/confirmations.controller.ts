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

@Route('confirm')
@Tags('Notifications')
@Response<ErrorBody>(400, 'Invalid token')
export class ConfirmationsController extends Controller {
  constructor(private readonly subscriptions: UnsubscribesService) {
    super();
  }

  /**
   * Allows the mails of a user to the address that a link was mailed to, also after they were ended by unsubscribing. No
   * session is required, and the body is ignored.
   * @summary Confirm the address of mails
   * @param token The token of the link in the mail
   * @example token "a17.o9Xyx3sJmVbHkGmX4n2f0mY0yqv3m1sG6m4kqz7F1aE"
   */
  @Post()
  @NoSecurity()
  @OperationId('confirmAddress')
  @SuccessResponse(200, 'Mails to the address are allowed')
  @Response<ErrorBody>(404, 'The subscription no longer exists', {
    error: 'this subscription does not exist',
    code: 'not_found',
  })
  async confirmAddress(@Query() token: string, @Inject() _visitor: Visitor): Promise<EmptyResponse> {
    await this.subscriptions.allow(token);
    return {};
  }
}
