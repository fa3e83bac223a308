import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Path,
  Put,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller } from '../../platform/caller';
import { type RetentionResponse, toRetentionResponse } from './sensor.view';
import type { SensorRetentionService } from './sensor-retention.service';
import type { SetRetentionRequest } from './sensors.request';

@Route('sensors')
@Tags('Data points')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class SensorRetentionController extends Controller {
  constructor(private readonly retention: SensorRetentionService) {
    super();
  }

  /**
   * Returns the retention of the data points of a sensor that you can see, in days.
   * @summary Get the retention of a sensor
   */
  @Get('{id}/retention')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The retention')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async getRetention(@Path() id: string, @Inject() caller: Caller): Promise<RetentionResponse> {
    return toRetentionResponse(await this.retention.find(caller.userId, readId(id, 'sensor')));
  }

  /**
   * Sets the retention of the data points of one of your sensors, in days. Older points are deleted permanently within
   * minutes, including points that are uploaded later with an older date. A shorter retention of the platform takes
   * precedence. Firings and deliveries have a separate retention. Refused while a window of a connected trigger, or of a
   * formula of yours, needs older points.
   * @summary Set the retention of a sensor
   */
  @Put('{id}/retention')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The retention')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  @Response<ErrorBody>(409, 'A window of a trigger or a formula needs older points', {
    error:
      'retention.days cannot change to this value: the trigger 7 ("hot") has a window of 259200 seconds, for which the sensor must keep its data points',
    code: 'conflict',
  })
  async setRetention(
    @Path() id: string,
    @Body() body: SetRetentionRequest,
    @Inject() caller: Caller,
  ): Promise<RetentionResponse> {
    const { days } = body.retention;
    return toRetentionResponse(await this.retention.set(caller.userId, readId(id, 'sensor'), days));
  }

  /**
   * Removes the retention of one of your sensors: the retention of the platform applies to its data points.
   * @summary Delete the retention of a sensor
   */
  @Delete('{id}/retention')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The retention was deleted')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async deleteRetention(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.retention.set(caller.userId, readId(id, 'sensor'), null);
    return {};
  }
}
