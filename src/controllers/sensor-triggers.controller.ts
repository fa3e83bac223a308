import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  OperationId,
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
import type { Caller } from '../caller';
import type { FiringListQuery } from '../requests/firings.request';
import { readId } from '../requests/id';
import { type PageQuery, readPage } from '../requests/paging';
import {
  type ActivateSensorTriggerRequest,
  type ConnectTriggersRequest,
  readSensorTriggerChange,
  readTriggerIds,
  type UpdateSensorTriggerRequest,
} from '../requests/sensor-triggers.request';
import type { SensorTriggersService } from '../services/triggers/sensor-triggers.service';
import type { EmptyView } from '../views/empty.view';
import type { ErrorBody } from '../views/error.view';
import { type FiringsResponse, toFiringView } from '../views/firing.view';
import {
  type PlacedSensorTriggersResponse,
  type SensorTriggerResponse,
  type SensorTriggersResponse,
  toPlacedSensorTriggerView,
  toSensorTriggerView,
} from '../views/sensor-trigger.view';

@Route('sensors')
@Tags('Sensor triggers')
@Security('session')
@Response<ErrorBody>(401, 'No valid session')
export class SensorTriggersController extends Controller {
  constructor(private readonly sensorTriggers: SensorTriggersService) {
    super();
  }

  /**
   * Every trigger on every sensor of yours, with the state of its evaluation.
   * @summary List the triggers on all sensors
   */
  @Get('triggers')
  @OperationId('listAllSensorTriggers')
  @SuccessResponse(200, 'A page of triggers with their sensors')
  @Response<ErrorBody>(400, 'Invalid input')
  async listAllSensorTriggers(
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<PlacedSensorTriggersResponse> {
    const { items, total } = await this.sensorTriggers.listAll(caller.userId, readPage(query));
    return { triggers: items.map(toPlacedSensorTriggerView), total };
  }

  /**
   * The triggers on a sensor, with the state of their evaluation.
   * @summary List the triggers on a sensor
   */
  @Get('{id}/triggers')
  @OperationId('listSensorTriggers')
  @SuccessResponse(200, 'A page of triggers')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'The sensor is not your own')
  @Response<ErrorBody>(404, 'You have no such sensor or trigger')
  async listSensorTriggers(
    @Path() id: string,
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<SensorTriggersResponse> {
    const { items, total } = await this.sensorTriggers.list(caller.userId, readId(id, 'sensor'), readPage(query));
    return { triggers: items.map(toSensorTriggerView), total };
  }

  /**
   * Connects triggers to a sensor, all or none; they are active at once. Connecting one again changes nothing. A sensor has
   * at most 100.
   * @summary Connect triggers
   */
  @Post('{id}/triggers')
  @OperationId('connectTriggers')
  @SuccessResponse(201, 'The triggers are connected')
  @Response<ErrorBody>(403, 'The sensor is not your own')
  @Response<ErrorBody>(404, 'You have no such sensor or trigger')
  @Response<ErrorBody>(409, 'The sensor would have more than 100 triggers; none was connected', {
    error: 'a sensor has at most 100 triggers: disconnect others first',
    code: 'conflict',
  })
  @Response<ErrorBody>(400, 'Invalid input')
  async connectTriggers(
    @Path() id: string,
    @Body() body: ConnectTriggersRequest,
    @Inject() caller: Caller,
  ): Promise<SensorTriggersResponse> {
    const sensorId = readId(id, 'sensor');
    await this.sensorTriggers.connect(caller.userId, sensorId, readTriggerIds(body));
    this.setStatus(201);
    const { items } = await this.sensorTriggers.list(caller.userId, sensorId);
    return { triggers: items.map(toSensorTriggerView) };
  }

  /**
   * A trigger on a sensor, with the state of its evaluation.
   * @summary A trigger on a sensor
   */
  @Get('{id}/triggers/{trigger_id}')
  @OperationId('getSensorTrigger')
  @SuccessResponse(200, 'The trigger')
  @Response<ErrorBody>(403, 'The sensor is not your own')
  @Response<ErrorBody>(404, 'You have no such sensor or trigger')
  async getSensorTrigger(
    @Path() id: string,
    @Path() trigger_id: string,
    @Inject() caller: Caller,
  ): Promise<SensorTriggerResponse> {
    const pair = await this.sensorTriggers.find(caller.userId, readId(id, 'sensor'), readId(trigger_id, 'trigger'));
    return { trigger: toSensorTriggerView(pair) };
  }

  /**
   * Disconnects a trigger from a sensor, and the notifications from it.
   * @summary Disconnect a trigger
   */
  @Delete('{id}/triggers/{trigger_id}')
  @OperationId('disconnectTrigger')
  @SuccessResponse(200, 'The trigger is disconnected')
  @Response<ErrorBody>(403, 'The sensor is not your own')
  @Response<ErrorBody>(404, 'You have no such sensor or trigger')
  async disconnectTrigger(
    @Path() id: string,
    @Path() trigger_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyView> {
    await this.sensorTriggers.remove(caller.userId, readId(id, 'sensor'), readId(trigger_id, 'trigger'));
    return {};
  }

  /**
   * Sets the state of a trigger on a sensor; what is not given stays.
   * @summary Set the state of a trigger on a sensor
   */
  @Put('{id}/trigger/{trigger_id}')
  @OperationId('updateSensorTrigger')
  @SuccessResponse(200, 'The trigger as it is now')
  @Response<ErrorBody>(403, 'The sensor is not your own')
  @Response<ErrorBody>(404, 'You have no such sensor or trigger')
  @Response<ErrorBody>(400, 'Invalid input')
  async updateSensorTrigger(
    @Path() id: string,
    @Path() trigger_id: string,
    @Body() body: UpdateSensorTriggerRequest,
    @Inject() caller: Caller,
  ): Promise<SensorTriggerResponse> {
    const change = readSensorTriggerChange(body.trigger);
    const [sensorId, triggerId] = [readId(id, 'sensor'), readId(trigger_id, 'trigger')];
    return {
      trigger: toSensorTriggerView(await this.sensorTriggers.change(caller.userId, sensorId, triggerId, change)),
    };
  }

  /**
   * The same as under the path with the singular `trigger`.
   * @summary Set the state of a trigger on a sensor
   */
  @Put('{id}/triggers/{trigger_id}')
  @OperationId('updateSensorTriggerByPlural')
  @SuccessResponse(200, 'The trigger as it is now')
  @Response<ErrorBody>(403, 'The sensor is not your own')
  @Response<ErrorBody>(404, 'You have no such sensor or trigger')
  @Response<ErrorBody>(400, 'Invalid input')
  updateSensorTriggerByPlural(
    @Path() id: string,
    @Path() trigger_id: string,
    @Body() body: UpdateSensorTriggerRequest,
    @Inject() caller: Caller,
  ): Promise<SensorTriggerResponse> {
    return this.updateSensorTrigger(id, trigger_id, body, caller);
  }

  /**
   * Switches a trigger on a sensor on or off. While off it sees nothing and changes nothing.
   * @summary Switch a trigger on or off
   */
  @Post('{id}/triggers/{trigger_id}/active')
  @OperationId('activateSensorTrigger')
  @SuccessResponse(200, 'The trigger as it is now')
  @Response<ErrorBody>(403, 'The sensor is not your own')
  @Response<ErrorBody>(404, 'You have no such sensor or trigger')
  @Response<ErrorBody>(400, 'Invalid input')
  async activateSensorTrigger(
    @Path() id: string,
    @Path() trigger_id: string,
    @Body() body: ActivateSensorTriggerRequest,
    @Inject() caller: Caller,
  ): Promise<SensorTriggerResponse> {
    const { active } = body;
    const [sensorId, triggerId] = [readId(id, 'sensor'), readId(trigger_id, 'trigger')];
    const pair = await this.sensorTriggers.change(caller.userId, sensorId, triggerId, { active });
    return { trigger: toSensorTriggerView(pair) };
  }

  /**
   * Each time that the trigger went off on this sensor, with the variables as they were: oldest first, or newest first with
   * `sort=DESC`. A page with more than 32 MB of variables is refused with 400: ask for fewer per page.
   * @summary List firings
   */
  @Get('{id}/triggers/{trigger_id}/firings')
  @OperationId('listFirings')
  @SuccessResponse(200, 'A page of firings')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'The sensor is not your own')
  @Response<ErrorBody>(404, 'You have no such sensor or trigger')
  async listFirings(
    @Path() id: string,
    @Path() trigger_id: string,
    @Queries() query: FiringListQuery,
    @Inject() caller: Caller,
  ): Promise<FiringsResponse> {
    const [sensorId, triggerId] = [readId(id, 'sensor'), readId(trigger_id, 'trigger')];
    const page = readPage(query);
    const { items, total } = await this.sensorTriggers.firings(caller.userId, sensorId, triggerId, page, query.sort);
    return { firings: items.map(toFiringView), total };
  }
}
