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
import type { Caller } from '../../platform/caller';
import {
  type AllAvailableServicesResponse,
  type AvailableServicesResponse,
  type RunningServiceResponse,
  type RunningServicesResponse,
  toAvailableServicesView,
  toRunningServiceView,
} from './sensor-service.view';
import { type ConnectServiceRequest, readConnection } from './sensor-services.request';
import type { SensorServicesService } from './sensor-services.service';
import type { ServiceConnectionsService } from './service-connections.service';

@Route('sensors')
@Tags('Services')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class SensorServicesController extends Controller {
  constructor(
    private readonly services: SensorServicesService,
    private readonly connections: ServiceConnectionsService,
  ) {
    super();
  }

  /**
   * Lists for each sensor that you can see the services that can use its values, and the fields that they can use.
   * This depends on `data_type` and `data_structure`.
   * @summary List the available services of all sensors
   */
  @Get('services/available')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of sensors with their services')
  @Response<ErrorBody>(400, 'Invalid input')
  async listAllAvailableServices(
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<AllAvailableServicesResponse> {
    const { items, total } = await this.services.listAllAvailable(caller.userId, readPage(query));
    return {
      available_services: items.map(({ sensorId, services }) => ({
        sensor_id: String(sensorId),
        services: toAvailableServicesView(services),
      })),
      total,
    };
  }

  /**
   * Lists the services that can use the values of a sensor, and the fields that they can use.
   * @summary List the available services of a sensor
   */
  @Get('{id}/services/available')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The services')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async listAvailableServices(@Path() id: string, @Inject() caller: Caller): Promise<AvailableServicesResponse> {
    const { services } = await this.services.listAvailable(caller.userId, readId(id, 'sensor'));
    const available = toAvailableServicesView(services);
    return { available_services: available, services: available };
  }

  /**
   * Lists the services that a sensor feeds, with the fields that each uses. Services of others are included if you
   * can see their virtual sensor.
   * @summary List the running services of a sensor
   */
  @Get('{id}/services')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of running services')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async listServices(
    @Path() id: string,
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<RunningServicesResponse> {
    const { items, total } = await this.services.listRunning(caller.userId, readId(id, 'sensor'), readPage(query));
    return { services: items.map(toRunningServiceView), total };
  }

  /**
   * Connects a sensor that you can see to a service: to a running one of yours, which `id` names, or to a new one. A
   * new service creates a virtual sensor of yours with the same id, which receives its output; `sensor` names it.
   * Connecting again replaces the fields. A `fleet_service` may have a filter that connects its sensors instead (`SetFilter`).
   * Any other service takes at most 100 sensors, and a sensor feeds at most 100 services
   * of yours. One data point causes at most 1,000 computations of the services of a user; a service that is fed by
   * services counts once for each path to it.
   * @summary Connect a sensor to a service
   */
  @Post('{id}/services')
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The sensor feeds the service')
  @Response<ErrorBody>(400, 'Invalid input, or the service cannot use the values of the sensor')
  @Response<ErrorBody>(403, 'You do not own the service')
  @Response<ErrorBody>(404, 'The sensor or the service does not exist, or you cannot see it')
  @Response<ErrorBody>(
    409,
    'The service would feed itself, is another one than its name says, needs more stored points than the sensor keeps, or there would be too many',
    { error: 'a sensor feeds at most 100 services of yours', code: 'conflict' },
  )
  async connectService(
    @Path() id: string,
    @Body() body: ConnectServiceRequest,
    @Inject() caller: Caller,
  ): Promise<RunningServiceResponse> {
    const sensorId = readId(id, 'sensor');
    const service = await this.connections.connect(caller, sensorId, readConnection(body));
    this.setStatus(201);
    this.setHeader('Location', `/sensors/${sensorId}/services/${service.id}`);
    return { service: toRunningServiceView(service) };
  }

  /**
   * Disconnects a sensor from a service. A service that no sensor feeds is deleted; its virtual sensor stays with
   * its data, as a plain sensor. A `fleet_service` is deleted with its own id as the id of the sensor.
   * @summary Disconnect a sensor from a service
   */
  @Delete('{id}/services/{service_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The sensor no longer feeds the service')
  @Response<ErrorBody>(403, 'You own neither the service nor the sensor', {
    error: 'only the owner of the service or of the sensor may do this',
    code: 'forbidden',
  })
  @Response<ErrorBody>(404, 'The sensor does not exist or you cannot see it, or it does not feed this service')
  async disconnectService(
    @Path() id: string,
    @Path() service_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    await this.connections.disconnect(caller.userId, readId(id, 'sensor'), readId(service_id, 'service'));
    return {};
  }
}
