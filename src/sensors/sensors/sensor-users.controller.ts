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
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import { type PublicUserResponse, type PublicUsersResponse, toPublicUserView } from '../../people';
import type { Caller } from '../../platform/caller';
import type { SensorUsersService } from './sensor-users.service';
import type { ShareSensorRequest } from './sensors.request';

@Route('sensors')
@Tags('Sharing')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class SensorUsersController extends Controller {
  constructor(private readonly sensorUsers: SensorUsersService) {
    super();
  }

  /**
   * Ends every share of all your sensors with users. Sensors that you shared into groups stay there.
   * @summary Unshare all sensors
   */
  @Delete('users')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'No sensor of yours is shared with a user')
  async unshareAllSensors(@Inject() caller: Caller): Promise<EmptyResponse> {
    await this.sensorUsers.unshareAll(caller.userId);
    return {};
  }

  /**
   * Lists the users that one of your sensors is shared with, ordered by id.
   * @summary List the users of a sensor
   */
  @Get('{id}/users')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of users')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async listSensorUsers(
    @Path() id: string,
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<PublicUsersResponse> {
    const { items, total } = await this.sensorUsers.list(caller.userId, readId(id, 'sensor'), readPage(query));
    return { users: items.map(toPublicUserView), total };
  }

  /**
   * Shares one of your sensors and all its data with a user, who is named by `id`, by `username`, or by both. The user
   * can read it. Only you can upload, change and share. A user can refuse: see `POST /users/blocked`. `name`, `surname`
   * and `email` of the user are empty unless both of you are in a group that shows them to you. By `id` alone you can
   * share with 60 users an hour whose names you do not see otherwise.
   * @summary Share a sensor
   */
  @Post('{id}/users')
  @Security('credential', ['write'])
  @SuccessResponse(201, 'The user has access to the sensor')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it; or the user refuses it')
  @Response<ErrorBody>(404, 'The sensor or the user does not exist, or you cannot see the sensor')
  @Response<ErrorBody>(429, 'Too many users were named by their ids in this hour; see `Retry-After`', {
    error: 'too many shares with users whose names you do not know; name them by username, or try again later',
    code: 'rate_limited',
  })
  async shareSensor(
    @Path() id: string,
    @Body() body: ShareSensorRequest,
    @Inject() caller: Caller,
  ): Promise<PublicUserResponse> {
    const user = await this.sensorUsers.share(caller, readId(id, 'sensor'), body.user);
    this.setStatus(201);
    return { user: toPublicUserView(user) };
  }

  /**
   * Ends a user's access to one of your sensors, or your own access to a sensor that is shared with you. Its owner
   * cannot share that sensor with you again, until you allow it with `DELETE /users/blocked/{id}`.
   * @summary Unshare a sensor
   */
  @Delete('{id}/users/{user_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The sensor is no longer shared with the user')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor does not exist or you cannot see it, or it is not shared with this user')
  async unshareSensor(@Path() id: string, @Path() user_id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.sensorUsers.unshare(caller.userId, readId(id, 'sensor'), readId(user_id, 'user'));
    return {};
  }
}
