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
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { NotificationsService } from '../../notifications';
import type { Caller } from '../../platform/caller';
import {
  type ConnectedNotificationsResponse,
  type TriggerNotificationsResponse,
  type TriggerNotificationView,
  toSensorTriggerView,
  toTriggerNotificationView,
} from './sensor-trigger.view';
import { type ConnectNotificationsRequest, readNotifications } from './sensor-triggers.request';
import type { TriggerNotificationsService } from './trigger-notifications.service';

@Route('sensors')
@Tags('Sensor triggers')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class TriggerNotificationsController extends Controller {
  constructor(
    private readonly connections: TriggerNotificationsService,
    private readonly notifications: NotificationsService,
  ) {
    super();
  }

  /**
   * Lists every notification that is connected to a trigger on one of your sensors, together with that trigger.
   * @summary List the notifications of all triggers on sensors
   */
  @Get('triggers/notifications')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of notifications')
  @Response<ErrorBody>(400, 'Invalid input')
  async listAllTriggerNotifications(
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<ConnectedNotificationsResponse> {
    const { items, total } = await this.connections.listAll(caller.userId, readPage(query));
    const connected = items.map(({ notification }) => notification);
    const about = await this.notifications.about(caller.userId, connected);
    const secrets = secretsFor(caller.credential);
    const notifications = items.map((item) => ({
      ...toTriggerNotificationView(item, secrets, about),
      sensor_id: String(item.pair.sensorTrigger.sensorId),
      trigger_id: String(item.pair.trigger.id),
      trigger: toSensorTriggerView(item.pair),
    }));
    return { notifications, total };
  }

  /**
   * Lists the notifications that are connected to the trigger on this sensor. Notifications of the trigger on all its
   * sensors are sent as well; `GET /triggers/{id}/notifications` lists them.
   * @summary List the notifications of a trigger on a sensor
   */
  @Get('{id}/triggers/{trigger_id}/notifications')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of notifications')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You do not own the sensor')
  @Response<ErrorBody>(404, 'The sensor, the trigger or the notification does not exist, or you cannot see it')
  async listTriggerNotifications(
    @Path() id: string,
    @Path() trigger_id: string,
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<TriggerNotificationsResponse> {
    const [sensorId, triggerId] = [readId(id, 'sensor'), readId(trigger_id, 'trigger')];
    const { items, total } = await this.connections.list(caller.userId, sensorId, triggerId, readPage(query));
    return { notifications: await this.show(items, caller), total };
  }

  /**
   * Connects notifications to a trigger on a sensor. Connecting one again changes only its `after`, if that is given. A
   * trigger on a sensor has at most 20 notifications. One that shows a field which the latest value of the sensor does
   * not have is connected with a `warning`.
   * @summary Connect notifications to a trigger on a sensor
   */
  @Post('{id}/triggers/{trigger_id}/notifications')
  @Security('credential', ['write'])
  @SuccessResponse(201, 'The notifications that are connected now')
  @Response<ErrorBody>(403, 'You do not own the sensor')
  @Response<ErrorBody>(404, 'The sensor, the trigger or the notification does not exist, or you cannot see it')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(409, 'The trigger would have more than 20 notifications on this sensor; none was connected', {
    error: 'a trigger on a sensor has at most 20 notifications: disconnect others first',
    code: 'conflict',
  })
  async connectNotifications(
    @Path() id: string,
    @Path() trigger_id: string,
    @Body() body: ConnectNotificationsRequest,
    @Inject() caller: Caller,
  ): Promise<TriggerNotificationsResponse> {
    const [sensorId, triggerId] = [readId(id, 'sensor'), readId(trigger_id, 'trigger')];
    const wanted = readNotifications(body);
    await this.connections.connect(caller.userId, sensorId, triggerId, wanted);
    this.setStatus(201);
    const { items } = await this.connections.list(caller.userId, sensorId, triggerId);
    const warning = await this.connections.warningFor(caller.userId, sensorId, triggerId, wanted);
    return { notifications: await this.show(items, caller), warning };
  }

  /**
   * Disconnects a notification from a trigger on a sensor. If it waits for an episode by `after`, it gets nothing of it.
   * @summary Disconnect a notification from a trigger on a sensor
   */
  @Delete('{id}/triggers/{trigger_id}/notifications/{notification_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The notification was disconnected')
  @Response<ErrorBody>(403, 'You do not own the sensor')
  @Response<ErrorBody>(404, 'The sensor, the trigger or the notification does not exist, or you cannot see it')
  async disconnectNotification(
    @Path() id: string,
    @Path() trigger_id: string,
    @Path() notification_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    const [sensorId, triggerId] = [readId(id, 'sensor'), readId(trigger_id, 'trigger')];
    const notificationId = readId(notification_id, 'notification');
    await this.connections.disconnect(caller.userId, sensorId, triggerId, notificationId);
    return {};
  }

  private async show(
    items: Awaited<ReturnType<TriggerNotificationsService['list']>>['items'],
    caller: Caller,
  ): Promise<TriggerNotificationView[]> {
    const notifications = items.map(({ notification }) => notification);
    const about = await this.notifications.about(caller.userId, notifications);
    return items.map((item) => toTriggerNotificationView(item, secretsFor(caller.credential), about));
  }
}
