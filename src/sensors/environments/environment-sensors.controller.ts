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
import { type SensorPageResponse, toSensorPageResponse } from '../sensors/sensor.view';
import type { SensorPageQuery } from '../sensors/sensors.request';
import type { EnvironmentSensorsService } from './environment-sensors.service';
import { type PlaceSensorsRequest, readPlacedSensors } from './environments.request';
import { readPositions, type SensorPositionsRequest } from './floor-plans.request';
import { type SensorPositionsResponse, toPositionsResponse } from './sensor-position.view';

@Route('environments')
@Tags('Environments')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class EnvironmentSensorsController extends Controller {
  constructor(private readonly places: EnvironmentSensorsService) {
    super();
  }

  /**
   * Lists the sensors in one of your environments, ordered by id. Sensors of others are included as long as you can
   * see them.
   * @summary List the sensors of an environment
   */
  @Get('{id}/sensors')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of sensors')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such environment')
  async listEnvironmentSensors(
    @Path() id: string,
    @Queries() query: SensorPageQuery,
    @Inject() caller: Caller,
  ): Promise<SensorPageResponse> {
    const page = await this.places.list(caller.userId, readId(id, 'environment'), readPage(query), query.details);
    return toSensorPageResponse(page, query.details);
  }

  /**
   * Puts sensors that you can see into one of your environments: all of them, or none if one is refused. A sensor is in
   * at most one of your environments, so it leaves its previous one. The response lists the sensors of the environment,
   * up to 1,000.
   * @summary Put sensors into an environment
   */
  @Post('{id}/sensors')
  @Security('credential', ['write'])
  @SuccessResponse(201, 'The sensors of the environment after the change')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such environment, or a sensor does not exist or you cannot see it')
  async addEnvironmentSensors(
    @Path() id: string,
    @Body() body: PlaceSensorsRequest,
    @Inject() caller: Caller,
  ): Promise<SensorPageResponse> {
    const environmentId = readId(id, 'environment');
    await this.places.connect(caller.userId, environmentId, readPlacedSensors(body));
    const page = await this.places.list(caller.userId, environmentId);
    this.setStatus(201);
    return toSensorPageResponse(page);
  }

  /**
   * Lists where the sensors of one of your environments are, ordered by id. Sensors without a position are left out.
   * @summary List the positions of sensors
   */
  @Get('{id}/positions')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The positions')
  @Response<ErrorBody>(404, 'You have no such environment')
  async listSensorPositions(@Path() id: string, @Inject() caller: Caller): Promise<SensorPositionsResponse> {
    return toPositionsResponse(await this.places.listPositions(caller.userId, readId(id, 'environment')));
  }

  /**
   * Moves sensors in one of your environments: all of them, or none if one is refused. Others stay where they are. The
   * positions are yours: other users who see the sensor do not get them.
   * @summary Set the positions of sensors
   */
  @Put('{id}/positions')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The positions after the change')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such environment, or a sensor is not in it')
  async setSensorPositions(
    @Path() id: string,
    @Body() body: SensorPositionsRequest,
    @Inject() caller: Caller,
  ): Promise<SensorPositionsResponse> {
    const moved = await this.places.move(caller.userId, readId(id, 'environment'), readPositions(body));
    return toPositionsResponse(moved);
  }

  /**
   * Removes a sensor from one of your environments.
   * @summary Remove a sensor from an environment
   */
  @Delete('{id}/sensors/{sensor_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The sensor was removed from the environment')
  @Response<ErrorBody>(404, 'You have no such environment, or the sensor is not in it')
  async removeEnvironmentSensor(
    @Path() id: string,
    @Path() sensor_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    await this.places.disconnect(caller.userId, readId(id, 'environment'), readId(sensor_id, 'sensor'));
    return {};
  }
}
