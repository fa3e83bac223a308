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
import { secretsFor } from '../../access/credential.policy';
import { withRuleSetWarning } from '../../access/managed-rules';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { NotificationsService } from '../../notifications';
import type { Caller } from '../../platform/caller';
import { type TriggerNotificationsResponse, toTriggerNotificationView } from './sensor-trigger.view';
import { type ConnectNotificationsRequest, readNotifications } from './sensor-triggers.request';
import type { WholeTriggerNotificationsService } from './whole-trigger-notifications.service';

@Route('triggers')
@Tags('Triggers')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class WholeTriggerNotificationsController extends Controller {
  constructor(
    private readonly connections: WholeTriggerNotificationsService,
    private readonly notifications: NotificationsService,
  ) {
    super();
  }

  /**
   * Lists the notifications that are sent whenever the trigger fires, on whichever sensor. Notifications of the trigger
   * on one sensor are listed there.
   * @summary List the notifications of a trigger
   */
  @Get('{id}/notifications')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of notifications')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such trigger')
  async listNotificationsOfTrigger(
    @Path() id: string,
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<TriggerNotificationsResponse> {
    return this.show(caller, await this.connections.list(caller.userId, readId(id, 'trigger'), readPage(query)));
  }

  /**
   * Connects notifications to a trigger on all sensors that it is connected to, now and later. Connecting one again
   * changes only its `after`, if that is given. A notification that is also connected to the trigger on a sensor is sent
   * once, after the shorter `after`. A trigger has at most 20 notifications on all its sensors. One that
   * shows a field which the latest value of no sensor has is connected with a `warning`.
   * @summary Connect notifications to a trigger
   */
  @Post('{id}/notifications')
  @Security('credential', ['write'])
  @SuccessResponse(201, 'The notifications that are connected now')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'The trigger or the notification does not exist, or you cannot see it')
  @Response<ErrorBody>(409, 'The trigger would have more than 20 notifications; none was connected', {
    error: 'a trigger has at most 20 notifications on all its sensors: disconnect others first',
    code: 'conflict',
  })
  async connectNotificationsToTrigger(
    @Path() id: string,
    @Body() body: ConnectNotificationsRequest,
    @Inject() caller: Caller,
  ): Promise<TriggerNotificationsResponse> {
    const triggerId = readId(id, 'trigger');
    const wanted = readNotifications(body);
    await this.connections.connect(caller.userId, triggerId, wanted);
    this.setStatus(201);
    const empty = await this.connections.warningFor(caller.userId, triggerId, wanted);
    const warning = await withRuleSetWarning(empty, 'trigger', triggerId);
    return { ...(await this.show(caller, await this.connections.list(caller.userId, triggerId))), warning };
  }

  /**
   * Disconnects a notification from a trigger. If it is also connected to the trigger on a sensor, it stays connected
   * there. If it waits for an episode by `after`, it gets nothing of it, unless it stays connected there.
   * @summary Disconnect a notification from a trigger
   */
  @Delete('{id}/notifications/{notification_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The notification was disconnected')
  @Response<ErrorBody>(404, 'You have no such trigger, or the notification is not connected to it')
  async disconnectNotificationFromTrigger(
    @Path() id: string,
    @Path() notification_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    const notificationId = readId(notification_id, 'notification');
    await this.connections.disconnect(caller.userId, readId(id, 'trigger'), notificationId);
    return {};
  }

  private async show(
    caller: Caller,
    { items, total }: Awaited<ReturnType<WholeTriggerNotificationsService['list']>>,
  ): Promise<TriggerNotificationsResponse> {
    const connected = items.map(({ notification }) => notification);
    const about = await this.notifications.about(caller.userId, connected);
    const notifications = items.map((item) => toTriggerNotificationView(item, secretsFor(caller.credential), about));
    return { notifications, total };
  }
}
