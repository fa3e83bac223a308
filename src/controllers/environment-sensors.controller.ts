import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  OperationId,
  Path,
  Post,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Caller } from '../caller';
import { type PlaceSensorsRequest, readPlacedSensors } from '../requests/environments.request';
import { readId } from '../requests/id';
import { type PageQuery, readPage } from '../requests/paging';
import type { EnvironmentSensorsService } from '../services/sensors/environment-sensors.service';
import type { EmptyView } from '../views/empty.view';
import type { ErrorBody } from '../views/error.view';
import { type SensorPageResponse, toSensorView } from '../views/sensor.view';

@Route('environments')
@Tags('Environments')
@Security('session')
@Response<ErrorBody>(401, 'No valid session')
export class EnvironmentSensorsController extends Controller {
  constructor(private readonly places: EnvironmentSensorsService) {
    super();
  }

  /**
   * The sensors in an environment of yours, by id; of the sensors of others those that you still see.
   * @summary List the sensors of an environment
   */
  @Get('{id}/sensors')
  @OperationId('listEnvironmentSensors')
  @SuccessResponse(200, 'A page of sensors')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such environment')
  async listEnvironmentSensors(
    @Path() id: string,
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<SensorPageResponse> {
    const page = await this.places.list(caller.userId, readId(id, 'environment'), readPage(query));
    return { sensors: page.items.map(toSensorView), total: page.total };
  }

  /**
   * Puts sensors that you see into an environment of yours, all of them or, when one is refused, none. You have each
   * sensor in one environment at a time, so it leaves the one that it was in. The answer lists the sensors that are in
   * it now, up to 1,000.
   * @summary Put sensors into an environment
   */
  @Post('{id}/sensors')
  @OperationId('addEnvironmentSensors')
  @SuccessResponse(201, 'The sensors are in it')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such environment, or there is no such sensor')
  async addEnvironmentSensors(
    @Path() id: string,
    @Body() body: PlaceSensorsRequest,
    @Inject() caller: Caller,
  ): Promise<SensorPageResponse> {
    const environmentId = readId(id, 'environment');
    await this.places.connect(caller.userId, environmentId, readPlacedSensors(body));
    const { items } = await this.places.list(caller.userId, environmentId);
    this.setStatus(201);
    return { sensors: items.map(toSensorView) };
  }

  /**
   * Takes a sensor out of an environment of yours.
   * @summary Take a sensor out of an environment
   */
  @Delete('{id}/sensors/{sensor_id}')
  @OperationId('removeEnvironmentSensor')
  @SuccessResponse(200, 'The sensor is not in it')
  @Response<ErrorBody>(404, 'You have no such environment, or the sensor is not in it')
  async removeEnvironmentSensor(
    @Path() id: string,
    @Path() sensor_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyView> {
    await this.places.disconnect(caller.userId, readId(id, 'environment'), readId(sensor_id, 'sensor'));
    return {};
  }
}
