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
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type SensorResponse, type SensorsResponse, toListedSensorView, toOwnedSensorView } from './sensor.view';
import {
  type CreateSensorRequest,
  readSensorFilter,
  readSensorInput,
  type SensorListQuery,
  type UpdateSensorRequest,
} from './sensors.request';
import type { SensorsService } from './sensors.service';

@Route('sensors')
@Tags('Sensors')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class SensorsController extends Controller {
  constructor(private readonly sensors: SensorsService) {
    super();
  }

  /**
   * Lists the sensors that you can see, ordered by id: your own, and those shared with you, which have an `owner`.
   * `total` is always included. `details=full` adds the device and the environment of each sensor that has them.
   * @summary List sensors
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of sensors')
  @Response<ErrorBody>(400, 'Invalid input')
  async listSensors(@Queries() query: SensorListQuery, @Inject() caller: Caller): Promise<SensorsResponse> {
    const { filter, withDevice } = readSensorFilter(query);
    const withDetails = withDevice || query.details === 'full';
    const reachable = { ...filter, reached: caller.credential.sensors };
    const { items, total } = await this.sensors.list(caller.userId, reachable, readPage(query), {
      withDetails,
      withStates: query.details !== 'no',
    });
    const sensors = items.map((listed) => toListedSensorView(listed, { withDevice, details: query.details }));
    return { sensors, total };
  }

  /**
   * Creates a sensor, which you own.
   * @summary Create a sensor
   */
  @Post()
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The sensor was created')
  @Response<ErrorBody>(400, 'Invalid input')
  async createSensor(@Body() body: CreateSensorRequest, @Inject() caller: Caller): Promise<SensorResponse> {
    const fields = { ...readSensorInput(body.sensor), name: body.sensor.name };
    const created = await this.sensors.create(caller.userId, fields);
    this.setStatus(201);
    this.setHeader('Location', `/sensors/${created.sensor.id}`);
    return { sensor: toOwnedSensorView(created) };
  }

  /**
   * Returns one of your sensors, or one that is shared with you, which has an `owner`.
   * @summary Get a sensor
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The sensor')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async getSensor(@Path() id: string, @Inject() caller: Caller): Promise<SensorResponse> {
    return { sensor: toOwnedSensorView(await this.sensors.find(caller.userId, readId(id, 'sensor'))) };
  }

  /**
   * Changes one of your sensors. Fields that are not given keep their values. `use_data_storage` cannot become `false`
   * while a window of a connected trigger, or of a formula of yours, needs the stored points.
   * @summary Update a sensor
   */
  @Put('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated sensor')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  @Response<ErrorBody>(409, 'A window of a trigger or a formula needs the stored points', {
    error:
      'sensor.use_data_storage cannot change to this value: the trigger 7 ("hot") has a window of 3600 seconds, for which the sensor must keep its data points',
    code: 'conflict',
  })
  async updateSensor(
    @Path() id: string,
    @Body() body: UpdateSensorRequest,
    @Inject() caller: Caller,
  ): Promise<SensorResponse> {
    const changes = readSensorInput(body.sensor);
    return { sensor: toOwnedSensorView(await this.sensors.update(caller.userId, readId(id, 'sensor'), changes)) };
  }

  /**
   * Deletes one of your sensors with its data and all its connections. For a sensor that is shared with you, only
   * your access to it ends.
   * @summary Delete a sensor
   */
  @Delete('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The sensor was deleted, or your access to it ended')
  @Response<ErrorBody>(403, 'You can see the sensor through a group, but do not own it', {
    error: 'only the owner may delete the sensor',
    code: 'forbidden',
  })
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async deleteSensor(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.sensors.delete(caller.userId, readId(id, 'sensor'));
    return {};
  }
}
