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
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type SensorPageResponse, toSensorPageResponse } from '../sensors/sensor.view';
import type { SensorPageQuery } from '../sensors/sensors.request';
import type { ConnectedSensorsService } from './connected-sensors.service';
import type { ConnectSensorRequest } from './sensor-services.request';

@Route('sensors')
@Tags('Virtual sensors')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class ConnectedSensorsController extends Controller {
  constructor(private readonly connectedSensors: ConnectedSensorsService) {
    super();
  }

  /**
   * Lists the sensors that a virtual sensor uses and that you can see, ordered by id.
   * @summary List the sensors that a virtual sensor uses
   */
  @Get('{id}/sensors')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of sensors')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async listConnectedSensors(
    @Path() id: string,
    @Queries() query: SensorPageQuery,
    @Inject() caller: Caller,
  ): Promise<SensorPageResponse> {
    const page = await this.connectedSensors.list(caller, readId(id, 'sensor'), readPage(query), query.details);
    return toSensorPageResponse(page, query.details);
  }

  /**
   * Lets one of your sensors use a sensor that you can see; it becomes virtual (type 2). The response lists the
   * sensors that it uses, up to 1,000.
   * @summary Connect a sensor to a virtual sensor
   */
  @Post('{id}/sensors')
  @Security('credential', ['write'])
  @SuccessResponse(201, 'The sensors that it uses after the change')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You do not own the virtual sensor')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  @Response<ErrorBody>(409, 'The sensor would use itself, directly or through others', {
    error: 'a sensor cannot use itself, directly or through others',
    code: 'cycle',
  })
  async connectSensor(
    @Path() id: string,
    @Body() body: ConnectSensorRequest,
    @Inject() caller: Caller,
  ): Promise<SensorPageResponse> {
    const virtualId = readId(id, 'sensor');
    await this.connectedSensors.connect(caller, virtualId, readId(body.sensor.id, 'sensor'));
    const page = await this.connectedSensors.list(caller, virtualId);
    this.setStatus(201);
    return toSensorPageResponse(page);
  }

  /**
   * Ends the use of a sensor by a virtual sensor. A virtual sensor that uses no sensor becomes plain (type 0). If
   * the sensor feeds the service of the virtual one, it is disconnected from the service as well.
   * @summary Disconnect a sensor from a virtual sensor
   */
  @Delete('{id}/sensors/{sensor_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The sensor is no longer used')
  @Response<ErrorBody>(403, 'You do not own the virtual sensor')
  @Response<ErrorBody>(404, 'The sensor does not exist or you cannot see it, or it does not use the other')
  async disconnectSensor(
    @Path() id: string,
    @Path() sensor_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    await this.connectedSensors.disconnect(caller, readId(id, 'sensor'), readId(sensor_id, 'sensor'));
    return {};
  }
}
