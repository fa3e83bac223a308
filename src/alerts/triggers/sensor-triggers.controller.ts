import {
  Body,
  Controller,
  Delete,
  Deprecated,
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
import { withRuleSetWarning } from '../../access/managed-rules';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type FiringsResponse, toFiringViews } from '../firings/firing.view';
import type { FiringListQuery } from '../firings/firings.request';
import {
  type PlacedSensorTriggersResponse,
  type SensorTriggerResponse,
  type SensorTriggersResponse,
  toPlacedSensorTriggerView,
  toSensorTriggerView,
} from './sensor-trigger.view';
import {
  type ActivateSensorTriggerRequest,
  type ConnectTriggersRequest,
  readSensorTriggerChange,
  readTriggerIds,
  type UpdateSensorTriggerRequest,
} from './sensor-triggers.request';
import type { SensorTriggersService } from './sensor-triggers.service';

@Route('sensors')
@Tags('Sensor triggers')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class SensorTriggersController extends Controller {
  constructor(private readonly sensorTriggers: SensorTriggersService) {
    super();
  }

  /**
   * Lists the triggers on all your sensors, with the state of their evaluation.
   * @summary List the triggers on all sensors
   */
  @Get('triggers')
  @Security('credential', ['read'])
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
   * Lists the triggers on a sensor, with the state of their evaluation.
   * @summary List the triggers on a sensor
   */
  @Get('{id}/triggers')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of triggers')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You do not own the sensor')
  @Response<ErrorBody>(404, 'The sensor or the trigger does not exist, or you cannot see it')
  async listSensorTriggers(
    @Path() id: string,
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<SensorTriggersResponse> {
    const { items, total } = await this.sensorTriggers.list(caller.userId, readId(id, 'sensor'), readPage(query));
    return { triggers: items.map(toSensorTriggerView), total };
  }

  /**
   * Connects triggers to a sensor: all of them, or none if one is refused. They are active at once. Connecting one
   * again changes nothing. A sensor has at most 100 triggers, and 20 different `x` in their window functions. A trigger
   * whose expression has windows is refused if the sensor does not store its points for as long.
   * @summary Connect triggers to a sensor
   */
  @Post('{id}/triggers')
  @Security('credential', ['write'])
  @SuccessResponse(201, 'The triggers that are connected now')
  @Response<ErrorBody>(403, 'You do not own the sensor')
  @Response<ErrorBody>(404, 'The sensor or the trigger does not exist, or you cannot see it')
  @Response<ErrorBody>(
    409,
    'The sensor would have more than 100 triggers, or 20 different `x`, or keeps less than a window; none was connected',
    {
      error: 'a sensor has at most 100 triggers: disconnect others first',
      code: 'conflict',
    },
  )
  @Response<ErrorBody>(400, 'Invalid input')
  async connectTriggers(
    @Path() id: string,
    @Body() body: ConnectTriggersRequest,
    @Inject() caller: Caller,
  ): Promise<SensorTriggersResponse> {
    const sensorId = readId(id, 'sensor');
    const triggerIds = readTriggerIds(body);
    await this.sensorTriggers.connect(caller.userId, sensorId, triggerIds);
    this.setStatus(201);
    const { items } = await this.sensorTriggers.list(caller.userId, sensorId);
    const problem = await this.sensorTriggers.warningFor(items, triggerIds);
    const warning = await withRuleSetWarning(problem, 'trigger', ...triggerIds);
    return { triggers: items.map(toSensorTriggerView), warning };
  }

  /**
   * Returns a trigger on a sensor, with the state of its evaluation.
   * @summary Get a trigger on a sensor
   */
  @Get('{id}/triggers/{trigger_id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The trigger')
  @Response<ErrorBody>(403, 'You do not own the sensor')
  @Response<ErrorBody>(404, 'The sensor or the trigger does not exist, or you cannot see it')
  async getSensorTrigger(
    @Path() id: string,
    @Path() trigger_id: string,
    @Inject() caller: Caller,
  ): Promise<SensorTriggerResponse> {
    const pair = await this.sensorTriggers.find(caller.userId, readId(id, 'sensor'), readId(trigger_id, 'trigger'));
    return { trigger: toSensorTriggerView(pair) };
  }

  /**
   * Disconnects a trigger from a sensor, and its notifications on this sensor, unless its selector matches the sensor.
   * @summary Disconnect a trigger from a sensor
   */
  @Delete('{id}/triggers/{trigger_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The trigger was disconnected')
  @Response<ErrorBody>(403, 'You do not own the sensor')
  @Response<ErrorBody>(404, 'The sensor or the trigger does not exist, or you cannot see it')
  @Response<ErrorBody>(409, 'The selector of the trigger connects it to this sensor', {
    error:
      'the selector of the trigger matches this sensor: change one of them, or deactivate the trigger on this sensor',
    code: 'conflict',
  })
  async disconnectTrigger(
    @Path() id: string,
    @Path() trigger_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    await this.sensorTriggers.disconnect(caller.userId, readId(id, 'sensor'), readId(trigger_id, 'trigger'));
    return {};
  }

  /**
   * Sets the state of a trigger on a sensor. Fields that are not given keep their values.
   * @summary Update the state of a trigger on a sensor
   */
  @Put('{id}/triggers/{trigger_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated trigger')
  @Response<ErrorBody>(403, 'You do not own the sensor')
  @Response<ErrorBody>(404, 'The sensor or the trigger does not exist, or you cannot see it')
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
   * The same as `PUT /sensors/{id}/triggers/{trigger_id}`, kept for old clients.
   * @summary Update the state of a trigger on a sensor, by its old path
   */
  @Put('{id}/trigger/{trigger_id}')
  @Deprecated()
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated trigger')
  @Response<ErrorBody>(403, 'You do not own the sensor')
  @Response<ErrorBody>(404, 'The sensor or the trigger does not exist, or you cannot see it')
  @Response<ErrorBody>(400, 'Invalid input')
  updateSensorTriggerBySingular(
    @Path() id: string,
    @Path() trigger_id: string,
    @Body() body: UpdateSensorTriggerRequest,
    @Inject() caller: Caller,
  ): Promise<SensorTriggerResponse> {
    return this.updateSensorTrigger(id, trigger_id, body, caller);
  }

  /**
   * Activates or deactivates a trigger on a sensor. An inactive trigger is not evaluated, and its state does not
   * change.
   * @summary Activate or deactivate a trigger on a sensor
   */
  @Post('{id}/triggers/{trigger_id}/active')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated trigger')
  @Response<ErrorBody>(403, 'You do not own the sensor')
  @Response<ErrorBody>(404, 'The sensor or the trigger does not exist, or you cannot see it')
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
   * Lists each firing of the trigger on this sensor, with its variables: oldest first, or newest first with
   * `sort=DESC`. A page with more than 32 MB of variables is refused with 400: ask for fewer per page.
   * @summary List firings
   */
  @Get('{id}/triggers/{trigger_id}/firings')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of firings')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You do not own the sensor')
  @Response<ErrorBody>(404, 'The sensor or the trigger does not exist, or you cannot see it')
  async listFirings(
    @Path() id: string,
    @Path() trigger_id: string,
    @Queries() query: FiringListQuery,
    @Inject() caller: Caller,
  ): Promise<FiringsResponse> {
    const [sensorId, triggerId] = [readId(id, 'sensor'), readId(trigger_id, 'trigger')];
    const page = readPage(query);
    const { items, total } = await this.sensorTriggers.firings(caller.userId, sensorId, triggerId, page, query.sort);
    return { firings: toFiringViews(items, caller.userId), total };
  }
}
