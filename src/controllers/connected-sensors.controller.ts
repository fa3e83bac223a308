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
import type { ConnectSensorRequest } from '../requests/connected-sensors.request';
import { readId } from '../requests/id';
import { type PageQuery, readPage } from '../requests/paging';
import type { ConnectedSensorsService } from '../services/virtual-sensors/connected-sensors.service';
import type { EmptyView } from '../views/empty.view';
import type { ErrorBody } from '../views/error.view';
import { type SensorPageResponse, toSensorView } from '../views/sensor.view';

@Route('sensors')
@Tags('Virtual sensors')
@Security('session')
@Response<ErrorBody>(401, 'No valid session')
export class ConnectedSensorsController extends Controller {
  constructor(private readonly connectedSensors: ConnectedSensorsService) {
    super();
  }

  /**
   * The sensors that a virtual sensor uses, by id; those that you may see.
   * @summary List the sensors that a sensor uses
   */
  @Get('{id}/sensors')
  @OperationId('listConnectedSensors')
  @SuccessResponse(200, 'A page of sensors')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'There is no such sensor, or you may not see it')
  async listConnectedSensors(
    @Path() id: string,
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<SensorPageResponse> {
    const { items, total } = await this.connectedSensors.list(caller.userId, readId(id, 'sensor'), readPage(query));
    return { sensors: items.map(toSensorView), total };
  }

  /**
   * Lets a sensor of yours use a sensor that you may see; it becomes virtual (type 2). The answer lists what it uses now,
   * up to 1,000.
   * @summary Connect a sensor to a virtual sensor
   */
  @Post('{id}/sensors')
  @OperationId('connectSensor')
  @SuccessResponse(201, 'The sensor uses the other')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'The virtual sensor is not yours')
  @Response<ErrorBody>(404, 'There is no such sensor, or you may not see it')
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
    await this.connectedSensors.connect(caller.userId, virtualId, readId(body.sensor.id, 'sensor'));
    const { items } = await this.connectedSensors.list(caller.userId, virtualId);
    this.setStatus(201);
    return { sensors: items.map(toSensorView) };
  }

  /**
   * Ends it. A virtual sensor that uses none any more is a plain one (type 0). When the sensor feeds the service of the
   * virtual one, it is disconnected from the service as well.
   * @summary Disconnect a sensor from a virtual sensor
   */
  @Delete('{id}/sensors/{sensor_id}')
  @OperationId('disconnectSensor')
  @SuccessResponse(200, 'The sensor does not use the other')
  @Response<ErrorBody>(403, 'The virtual sensor is not yours')
  @Response<ErrorBody>(404, 'There is no such sensor, or it does not use the other')
  async disconnectSensor(@Path() id: string, @Path() sensor_id: string, @Inject() caller: Caller): Promise<EmptyView> {
    await this.connectedSensors.disconnect(caller.userId, readId(id, 'sensor'), readId(sensor_id, 'sensor'));
    return {};
  }
}
