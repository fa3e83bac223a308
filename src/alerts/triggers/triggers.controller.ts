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
import { withRuleSetWarning } from '../../access/managed-rules';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import {
  type EditedTriggerResponse,
  type TriggerResponse,
  type TriggersResponse,
  toTriggerResponse,
  toTriggerView,
} from './trigger.view';
import { type TriggerVersionsResponse, toTriggerVersionView } from './trigger-version.view';
import {
  type CreateTriggerRequest,
  type EditOptions,
  readTriggerRequest,
  type UpdateTriggerRequest,
} from './triggers.request';
import type { EditedTrigger, TriggersService } from './triggers.service';

@Route('triggers')
@Tags('Triggers')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class TriggersController extends Controller {
  constructor(private readonly triggers: TriggersService) {
    super();
  }

  /**
   * Lists the triggers that you created, ordered by id.
   * @summary List triggers
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of triggers')
  @Response<ErrorBody>(400, 'Invalid input')
  async listTriggers(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<TriggersResponse> {
    const { items, total } = await this.triggers.list(caller.userId, readPage(query));
    return { triggers: items.map((one) => toTriggerView(one.trigger, one)), total };
  }

  /**
   * Creates a trigger, which can be connected to any number of your sensors. It requires an expression, an inactivity
   * in seconds, or both. An expression may use `sensor_data_value`, `sensor_data_date`, `last_sensor_data_value`,
   * `last_sensor_data_date`, `last_triggered`, `times_triggered` and `current_time`. It is checked when it is saved,
   * and an error names the position of the mistake. `hold`, `repeat`, `notify_resolved` and `resolved_text` control how
   * often it fires and whether the end of an alert is delivered; `timezone` is that of `hour()` and similar functions.
   * With a `selector` it is connected to all your sensors that match, now and later. A trigger that cannot work is saved
   * with a `warning`.
   * @summary Create a trigger
   */
  @Post()
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The trigger was created')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(409, 'The selector matches more than 10,000 sensors, or 100 triggers have selectors', {
    error: 'trigger.selector matches 12000 sensors, and a selector connects at most 10000',
    code: 'conflict',
    fields: { 'trigger.selector': 'matches 12000 sensors, and a selector connects at most 10000' },
  })
  async createTrigger(@Body() body: CreateTriggerRequest, @Inject() caller: Caller): Promise<TriggerResponse> {
    const { trigger: given } = body;
    const trigger = await this.triggers.create(caller, { ...readTriggerRequest(given), name: given.name });
    this.setStatus(201);
    this.setHeader('Location', `/triggers/${trigger.id}`);
    return toTriggerResponse(trigger, await this.triggers.describe(trigger));
  }

  /**
   * Returns one of your triggers, with a `warning` while it cannot work.
   * @summary Get a trigger
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The trigger')
  @Response<ErrorBody>(404, 'You have no such trigger')
  async getTrigger(@Path() id: string, @Inject() caller: Caller): Promise<TriggerResponse> {
    const trigger = await this.triggers.find(caller.userId, readId(id, 'trigger'));
    return toTriggerResponse(trigger, await this.triggers.describe(trigger));
  }

  /**
   * Changes the given fields. The change takes effect with the next data point on every connected sensor. An
   * `inactivity` of 0 removes the inactivity, which is only possible for a trigger with an expression. A change of the
   * expression, the hold or the inactivity ends the episodes that depend on it, unless `episodes` is `keep`. A changed
   * `selector` connects and disconnects sensors within ten seconds.
   * @summary Update a trigger
   */
  @Put('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated trigger')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such trigger')
  @Response<ErrorBody>(409, 'The selector matches more than 10,000 sensors, or 100 triggers have selectors', {
    error: 'trigger.selector matches 12000 sensors, and a selector connects at most 10000',
    code: 'conflict',
    fields: { 'trigger.selector': 'matches 12000 sensors, and a selector connects at most 10000' },
  })
  async updateTrigger(
    @Path() id: string,
    @Body() body: UpdateTriggerRequest,
    @Inject() caller: Caller,
  ): Promise<EditedTriggerResponse> {
    const changes = readTriggerRequest(body.trigger);
    const edited = await this.triggers.update(caller, readId(id, 'trigger'), changes, body.episodes);
    return this.toResponse(edited);
  }

  /**
   * Lists the versions of a trigger, newest first. Each change of a field that decides or delivers makes one. The last 100
   * are kept, and older ones that a stored firing names.
   * @summary List the versions of a trigger
   */
  @Get('{id}/versions')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of versions')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such trigger')
  async listVersions(
    @Path() id: string,
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<TriggerVersionsResponse> {
    const { items, total } = await this.triggers.versions(caller.userId, readId(id, 'trigger'), readPage(query));
    return { versions: items.map(toTriggerVersionView), total };
  }

  /**
   * Gives a trigger the rule of an earlier version, which makes a new version. Its notifications and the connections that
   * were made by hand stay.
   * @summary Restore a version of a trigger
   * @param version The number of the version.
   * @example version "1"
   */
  @Post('{id}/versions/{version}/restore')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The restored trigger')
  @Response<ErrorBody>(400, 'Invalid input, or a rule that is no longer possible')
  @Response<ErrorBody>(404, 'You have no such trigger, or it has no such version')
  @Response<ErrorBody>(409, 'The selector matches more than 10,000 sensors, or 100 triggers have selectors', {
    error: 'you have 100 triggers with selectors: remove a selector first',
    code: 'conflict',
  })
  async restoreVersion(
    @Path() id: string,
    @Path() version: string,
    @Body() body: EditOptions,
    @Inject() caller: Caller,
  ): Promise<EditedTriggerResponse> {
    const wanted = readId(version, 'version of the trigger');
    return this.toResponse(await this.triggers.restore(caller, readId(id, 'trigger'), wanted, body.episodes));
  }

  private async toResponse({ trigger, kept, ended }: EditedTrigger): Promise<EditedTriggerResponse> {
    const response = toTriggerResponse(trigger, await this.triggers.describe(trigger));
    return { ...response, warning: await withRuleSetWarning(response.warning, 'trigger', trigger.id), kept, ended };
  }

  /**
   * Deletes a trigger and its connections to sensors.
   * @summary Delete a trigger
   */
  @Delete('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The trigger was deleted')
  @Response<ErrorBody>(404, 'You have no such trigger')
  async deleteTrigger(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.triggers.delete(caller, readId(id, 'trigger'));
    return {};
  }
}
