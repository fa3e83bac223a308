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
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import {
  type EventNotificationResponse,
  type EventNotificationsResponse,
  type EventsResponse,
  toEventNotificationView,
  toEventView,
} from './event.view';
import type { EventNotificationsService } from './event-notifications.service';
import {
  type CreateEventNotificationRequest,
  type EventNotificationListQuery,
  readEventNotification,
  readNewEventNotification,
  type UpdateEventNotificationRequest,
} from './events.request';

@Route('events')
@Tags('Events')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class EventsController extends Controller {
  constructor(private readonly eventNotifications: EventNotificationsService) {
    super();
  }

  /**
   * Lists the events of the platform by the names that event notifications use.
   * @summary List events
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of events')
  @Response<ErrorBody>(400, 'Invalid input')
  async listEvents(@Queries() query: PageQuery, @Inject() _caller: Caller): Promise<EventsResponse> {
    const { items, total } = this.eventNotifications.events(readPage(query));
    return { events: items.map(toEventView), total };
  }

  /**
   * Lists your event notifications, ordered by id.
   * @summary List event notifications
   */
  @Get('notifications')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of event notifications')
  @Response<ErrorBody>(400, 'Invalid input')
  async listEventNotifications(
    @Queries() query: EventNotificationListQuery,
    @Inject() caller: Caller,
  ): Promise<EventNotificationsResponse> {
    const { enabled, event } = query;
    const found = await this.eventNotifications.list(caller.userId, { enabled, event }, readPage(query));
    return { event_notifications: found.items.map(toEventNotificationView), total: found.total };
  }

  /**
   * Connects an event to one of your notifications. From now on it is notified of each such event that you can see.
   * @summary Connect an event to a notification
   */
  @Post('notifications')
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The event notification was created')
  @Response<ErrorBody>(400, 'Invalid input, or there is no such event')
  @Response<ErrorBody>(404, 'You have no such notification', {
    error: 'the notification does not exist',
    code: 'not_found',
  })
  @Response<ErrorBody>(409, 'You would have more than 1,000 event notifications, or more than 100 of this event', {
    error: 'a user has at most 1000 event notifications: delete others first',
    code: 'conflict',
  })
  async createEventNotification(
    @Body() body: CreateEventNotificationRequest,
    @Inject() caller: Caller,
  ): Promise<EventNotificationResponse> {
    const row = await this.eventNotifications.create(caller.userId, readNewEventNotification(body.event_notification));
    this.setStatus(201);
    this.setHeader('Location', `/events/notifications/${row.id}`);
    return { event_notification: toEventNotificationView(row) };
  }

  /**
   * Returns one of your event notifications.
   * @summary Get an event notification
   */
  @Get('notifications/{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The event notification')
  @Response<ErrorBody>(404, 'You have no such event notification')
  async getEventNotification(@Path() id: string, @Inject() caller: Caller): Promise<EventNotificationResponse> {
    const row = await this.eventNotifications.find(caller.userId, readId(id, 'event notification'));
    return { event_notification: toEventNotificationView(row) };
  }

  /**
   * Changes one of your event notifications. Fields that are not given keep their values; `enabled` false disables
   * it.
   * @summary Update an event notification
   */
  @Put('notifications/{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated event notification')
  @Response<ErrorBody>(400, 'Invalid input, or there is no such event')
  @Response<ErrorBody>(404, 'You have no such event notification, or no such notification')
  @Response<ErrorBody>(409, 'You would have more than 100 event notifications of this event', {
    error: 'a user has at most 100 event notifications of one event: delete others of add_sensor_data first',
    code: 'conflict',
  })
  async updateEventNotification(
    @Path() id: string,
    @Body() body: UpdateEventNotificationRequest,
    @Inject() caller: Caller,
  ): Promise<EventNotificationResponse> {
    const input = readEventNotification(body.event_notification);
    const row = await this.eventNotifications.update(caller.userId, readId(id, 'event notification'), input);
    return { event_notification: toEventNotificationView(row) };
  }

  /**
   * Deletes one of your event notifications. The notification stays.
   * @summary Delete an event notification
   */
  @Delete('notifications/{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The event notification was deleted')
  @Response<ErrorBody>(404, 'You have no such event notification')
  async deleteEventNotification(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.eventNotifications.delete(caller.userId, readId(id, 'event notification'));
    return {};
  }
}
