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
import {
  type AddGroupSensorsRequest,
  type GroupSensorListQuery,
  type GroupSensorsService,
  readGroupSensorFilter,
  readGroupSensors,
} from '../../people';
import type { Caller } from '../../platform/caller';
import { type GroupSensorsResponse, toAddedSensorsResponse } from './group-sensors.view';
import { toListedSensorView } from './sensor.view';
import type { SensorsService } from './sensors.service';

@Route('groups')
@Tags('Group sensors')
@Response<ErrorBody>(401, 'No valid session, key or token')
@Response<ErrorBody>(403, 'You are not a member, or lack the right to do this')
@Response<ErrorBody>(404, 'The group or the sensor does not exist, or the group is hidden from you')
export class GroupSensorsController extends Controller {
  constructor(
    private readonly sensors: SensorsService,
    private readonly groupSensors: GroupSensorsService,
  ) {
    super();
  }

  /**
   * Lists the sensors that members share into a group, ordered by id. Requires the right to list sensors.
   * @summary List the sensors of a group
   */
  @Get('{group_id}/sensors')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of sensors')
  @Response<ErrorBody>(400, 'Invalid input')
  async listGroupSensors(
    @Path() group_id: string,
    @Queries() query: GroupSensorListQuery,
    @Inject() caller: Caller,
  ): Promise<GroupSensorsResponse> {
    const { filter, withDevice } = readGroupSensorFilter(query);
    const page = readPage(query);
    const inGroup = { ...filter, groupId: readId(group_id, 'group') };
    const { items, total } = await this.sensors.list(caller.userId, inGroup, page, {
      withDetails: withDevice || query.details === 'full',
      withStates: query.details !== 'no',
    });
    const sensors = items.map((listed) => toListedSensorView(listed, { withDevice, details: query.details }));
    return { sensors, total: page.withTotal ? total : undefined };
  }

  /**
   * Shares your own sensors into a group: members with the right to list sensors see them and their data. Sharing
   * one again changes nothing. Requires the right to add sensors.
   * @summary Share sensors into a group
   */
  @Post('{group_id}/sensors')
  @Security('credential', ['write'])
  @SuccessResponse(201, 'The given sensors are in the group')
  @Response<ErrorBody>(400, 'Invalid input')
  async addGroupSensors(
    @Path() group_id: string,
    @Body() body: AddGroupSensorsRequest,
    @Inject() caller: Caller,
  ): Promise<GroupSensorsResponse> {
    const named = readGroupSensors(body);
    const sensors = await this.groupSensors.add(caller.userId, readId(group_id, 'group'), named);
    this.setStatus(201);
    return toAddedSensorsResponse(sensors);
  }

  /**
   * Removes a sensor from a group. Requires the right to remove sensors, except for your own.
   * @summary Remove a sensor from a group
   */
  @Delete('{group_id}/sensors/{sensor_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The sensor was removed from the group')
  async removeGroupSensor(
    @Path() group_id: string,
    @Path() sensor_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    await this.groupSensors.remove(caller.userId, readId(group_id, 'group'), readId(sensor_id, 'sensor'));
    return {};
  }
}
