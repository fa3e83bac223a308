import {
  Body,
  Controller,
  Get,
  Inject,
  Path,
  Post,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller } from '../../platform/caller';
import { type MethodResultResponse, type ServiceMethodsResponse, toServiceMethodView } from './sensor-service.view';
import { type RunMethodRequest, readParameters } from './sensor-services.request';
import type { ServiceMethodsService } from './service-methods.service';

@Route('sensors/{id}/services/{service_id}')
@Tags('Services')
@Response<ErrorBody>(401, 'No valid session, key or token')
@Response<ErrorBody>(404, 'The sensor, the service or the method does not exist, or you cannot see it')
export class ServiceMethodsController extends Controller {
  constructor(private readonly methods: ServiceMethodsService) {
    super();
  }

  /**
   * Lists the methods of a service that uses the sensor.
   * @summary List the methods of a service
   */
  @Get('methods')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The methods')
  async listMethods(
    @Path() id: string,
    @Path() service_id: string,
    @Inject() caller: Caller,
  ): Promise<ServiceMethodsResponse> {
    const [sensorId, serviceId] = [readId(id, 'sensor'), readId(service_id, 'service')];
    const methods = await this.methods.list(caller.userId, sensorId, serviceId);
    return { methods: methods.map(toServiceMethodView) };
  }

  /**
   * Calls a get method, for example `GetWindow`.
   * @summary Call a get method of a service
   * @param method The name of a get method, as `methods` lists it.
   * @example method "GetWindow"
   */
  @Get('{method}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The return value of the method')
  async readMethod(
    @Path() id: string,
    @Path() service_id: string,
    @Path() method: string,
    @Inject() caller: Caller,
  ): Promise<MethodResultResponse> {
    const [sensorId, serviceId] = [readId(id, 'sensor'), readId(service_id, 'service')];
    return { result: await this.methods.read(caller.userId, sensorId, serviceId, method) };
  }

  /**
   * Calls a set method, for example `SetWindow`, of a service of yours. It takes effect with the next data point.
   * @summary Call a set method of a service
   * @param method The name of a set method, as `methods` lists it.
   * @example method "SetWindow"
   */
  @Post('{method}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The return value of the method, or `ok` if it has none')
  @Response<ErrorBody>(400, 'The number of parameters is wrong, or one of them is invalid')
  @Response<ErrorBody>(
    403,
    'You do not own the service, or the key is limited to sensors and the method reaches others',
  )
  async runMethod(
    @Path() id: string,
    @Path() service_id: string,
    @Path() method: string,
    @Body() body: RunMethodRequest,
    @Inject() caller: Caller,
  ): Promise<MethodResultResponse> {
    const place = { sensorId: readId(id, 'sensor'), serviceId: readId(service_id, 'service'), name: method };
    return { result: await this.methods.run(caller, place, readParameters(body)) };
  }
}
