import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Path,
  Post,
  Put,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import { secretsFor } from '../../access/credential.policy';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import type { Words } from '../../platform/words/words';
import type { DeliveriesService } from '../deliveries/deliveries.service';
import { type RedeliveredResponse, type TestResponse, toTestResponse } from '../deliveries/delivery.view';
import type { RedeliveriesService } from '../deliveries/redeliveries.service';
import { readNewNotification } from './new-notification.request';
import {
  type NotificationResponse,
  type NotificationsResponse,
  type PushKeyResponse,
  REFUSED_WARNING,
  toNotificationView,
  toStandstillView,
} from './notification.view';
import {
  type CreateNotificationRequest,
  LONGEST_WAIT_S,
  readNotification,
  type TestQuery,
  type UpdateNotificationRequest,
} from './notifications.request';
import type { NotificationsService } from './notifications.service';

@Route('notifications')
@Tags('Notifications')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class NotificationsController extends Controller {
  /**
   * Completes the answer of an operation without a permit of the caller: it may wait for long. The signal ends with the
   * connection of the client.
   */
  afterwards?: (signal: AbortSignal) => Promise<object>;

  constructor(
    private readonly notifications: NotificationsService,
    private readonly deliveries: DeliveriesService,
    private readonly redeliveries: RedeliveriesService,
  ) {
    super();
  }

  /**
   * Lists the notifications that you created, ordered by id.
   * @summary List notifications
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of notifications')
  @Response<ErrorBody>(400, 'Invalid input')
  async listNotifications(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<NotificationsResponse> {
    const { items, total } = await this.notifications.list(caller.userId, readPage(query));
    const about = await this.notifications.about(caller.userId, items);
    const standstill = await this.deliveries.standstill(caller.userId);
    const secrets = secretsFor(caller.credential);
    return {
      notifications: items.map((item) => toNotificationView(item, secrets, about)),
      ...(standstill && { standstill: toStandstillView(standstill) }),
      total,
    };
  }

  /**
   * Creates a notification: a text that is sent to an email address, posted to a URL or pushed to a browser. Connect it to a trigger on a
   * sensor or to an event. Requests to a URL are signed, so that your receiver can verify them: see `signing_secret`.
   * An email address gets one mail that asks for its consent; the address of your account gets it with the welcome
   * mail. Until its recipient has confirmed, `confirmed` is false and nothing else is sent there. A URL that this
   * installation currently refuses, for example one in a private network, is saved with a `warning`.
   * @summary Create a notification
   */
  @Post()
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The notification was created')
  @Response<ErrorBody>(400, 'Invalid input')
  async createNotification(
    @Body() body: CreateNotificationRequest,
    @Inject() caller: Caller,
  ): Promise<NotificationResponse> {
    const read = (words: Words) => readNewNotification(body.notification, words);
    const notification = await this.notifications.create(caller.userId, read);
    this.setStatus(201);
    this.setHeader('Location', `/notifications/${notification.id}`);
    return this.show(notification, caller, await this.notifications.warningFor(notification));
  }

  /**
   * Returns the key that a browser needs for a subscription, as the `applicationServerKey` of
   * `pushManager.subscribe()`. Then create a notification of type `push` with the subscription.
   * @summary Get the key for subscriptions of browsers
   */
  @Get('push_key')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The key')
  async getPushKey(): Promise<PushKeyResponse> {
    return { push_key: { public_key: await this.notifications.pushKey() } };
  }

  /**
   * Returns one of your notifications.
   * @summary Get a notification
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The notification')
  @Response<ErrorBody>(404, 'You have no such notification')
  async getNotification(@Path() id: string, @Inject() caller: Caller): Promise<NotificationResponse> {
    const notification = await this.notifications.find(caller.userId, readId(id, 'notification'));
    return this.show(notification, caller);
  }

  /**
   * Changes the given fields. `enabled` disables the notification and enables it again, even if it was disabled because
   * nothing arrived at its destination for five days, or because the browser's subscription had ended. If the recipient unsubscribed, only they can allow mails again. A
   * new email address must be confirmed, like the address of a new notification.
   * @summary Update a notification
   */
  @Put('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated notification')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such notification')
  @Response<ErrorBody>(409, 'The recipient has unsubscribed from your mails', {
    error: 'the recipient has unsubscribed from your mails: only they can allow them again',
    code: 'conflict',
  })
  async updateNotification(
    @Path() id: string,
    @Body() body: UpdateNotificationRequest,
    @Inject() caller: Caller,
  ): Promise<NotificationResponse> {
    const notificationId = readId(id, 'notification');
    const notification = await this.notifications.update(
      caller.userId,
      notificationId,
      readNotification(body.notification),
    );
    return this.show(notification, caller, await this.notifications.warningFor(notification));
  }

  /**
   * Deletes a notification. Every trigger on a sensor that it was connected to becomes inactive.
   * @summary Delete a notification
   */
  @Delete('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The notification was deleted')
  @Response<ErrorBody>(404, 'You have no such notification')
  async deleteNotification(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.notifications.delete(caller.userId, readId(id, 'notification'));
    return {};
  }

  /**
   * Replaces the signing secret of the notification. For 24 hours deliveries carry two signatures, one by each
   * secret, so that your receiver can change over without refusing any.
   * @summary Rotate the signing secret
   */
  @Post('{id}/rotate_secret')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The notification with its new secret')
  @Response<ErrorBody>(404, 'You have no such notification')
  async rotateNotificationSecret(@Path() id: string, @Inject() caller: Caller): Promise<NotificationResponse> {
    const notification = await this.notifications.rotateSecret(caller.userId, readId(id, 'notification'));
    return this.show(notification, caller);
  }

  /**
   * Sends every failed delivery of the notification again (mails as fast as the limits per hour allow), each with its `webhook-id`; for example after an outage
   * of your receiver. At most the oldest 10,000: repeat the request until none is left.
   * @summary Redeliver all failed deliveries of a notification
   */
  @Post('{id}/redeliver')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The deliveries are pending again')
  @Response<ErrorBody>(404, 'You have no such notification')
  @Response<ErrorBody>(409, 'The notification is switched off, or the recipient of its mails does not want them', {
    error: 'the notification is switched off: switch it on first',
    code: 'conflict',
  })
  async redeliverNotification(@Path() id: string, @Inject() caller: Caller): Promise<RedeliveredResponse> {
    return { redelivered: await this.redeliveries.redeliverFailed(caller.userId, readId(id, 'notification')) };
  }

  /**
   * Asks the recipient of its mails again to confirm the address, for example if the first mail went missing. An
   * address gets at most three such mails.
   * @summary Request the confirmation of an email address again
   */
  @Post('{id}/request_confirmation')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The mail was sent')
  @Response<ErrorBody>(404, 'You have no such notification')
  @Response<ErrorBody>(409, 'There is nothing to confirm, or no further request can be sent', {
    error: 'the address is confirmed already',
    code: 'conflict',
  })
  async requestConfirmation(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.notifications.requestConfirmation(caller.userId, readId(id, 'notification'));
    return {};
  }

  /**
   * Sends the notification's text now, even if it is disabled, waits for the first attempt, and says in `test` what
   * happened. `wait` is the longest time in seconds, 15 if it is left out; if there was no attempt by then, the status is
   * `pending`. At most three requests of yours wait at the same time; others are answered at once. The delivery shows the
   * result as well, and so does `last_delivery` of the notification.
   * @summary Test a notification
   */
  @Post('{id}/test')
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The test was sent, or is on its way')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such notification')
  @Response<ErrorBody>(409, 'The recipient of its mails has not confirmed, or has unsubscribed', {
    error: 'the recipient has not confirmed the address yet',
    code: 'conflict',
  })
  async testNotification(
    @Path() id: string,
    @Queries() query: TestQuery,
    @Inject() caller: Caller,
  ): Promise<TestResponse> {
    const { userId, credential } = caller;
    const waitMs = (query.wait ?? LONGEST_WAIT_S) * 1_000;
    const sent = await this.deliveries.sendTest(userId, readId(id, 'notification'));
    const secrets = secretsFor(credential);
    this.setStatus(201);
    this.setHeader('Location', `/deliveries/${sent.delivery.id}`);
    this.afterwards = async (signal) => {
      const attempt = await this.deliveries.firstAttempt(userId, sent.delivery.id, { waitMs, signal });
      return toTestResponse(await this.deliveries.find(userId, sent.delivery.id), attempt, secrets);
    };
    return toTestResponse(sent, undefined, secrets);
  }

  private async show(
    notification: Awaited<ReturnType<NotificationsService['find']>>,
    caller: Caller,
    warning?: string,
  ): Promise<NotificationResponse> {
    const about = await this.notifications.about(caller.userId, [notification]);
    return {
      notification: toNotificationView(notification, secretsFor(caller.credential), about),
      warning: about.refused.has(notification.id) ? REFUSED_WARNING : warning,
    };
  }
}
