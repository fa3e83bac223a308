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
import { type EnvironmentsResponse, toEnvironmentView } from './environment.view';
import { type NestEnvironmentsRequest, readNestedEnvironments } from './environments.request';
import type { EnvironmentsService } from './environments.service';

@Route('environments')
@Tags('Environments')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class SubEnvironmentsController extends Controller {
  constructor(private readonly environments: EnvironmentsService) {
    super();
  }

  /**
   * Lists the environments that are directly part of one of your environments, ordered by id.
   * @summary List sub environments
   */
  @Get('{id}/environments')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of environments')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such environment')
  async listSubEnvironments(
    @Path() id: string,
    @Queries() query: PageQuery,
    @Inject() caller: Caller,
  ): Promise<EnvironmentsResponse> {
    const page = await this.environments.listSubEnvironments(caller.userId, readId(id, 'environment'), readPage(query));
    return { environments: page.items.map(toEnvironmentView), total: page.total };
  }

  /**
   * Makes environments of yours part of another one: all of them, or none if one is refused. An environment is part of
   * at most one other, so each leaves its previous one. The response lists the sub environments, up to 1,000.
   * @summary Add sub environments
   */
  @Post('{id}/environments')
  @Security('credential', ['write'])
  @SuccessResponse(201, 'The sub environments after the change')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such environment')
  @Response<ErrorBody>(409, 'An environment would be part of itself', {
    error: 'the environment 3 would be part of itself',
    code: 'cycle',
  })
  async addSubEnvironments(
    @Path() id: string,
    @Body() body: NestEnvironmentsRequest,
    @Inject() caller: Caller,
  ): Promise<EnvironmentsResponse> {
    const environmentId = readId(id, 'environment');
    await this.environments.connectSubEnvironments(caller.userId, environmentId, readNestedEnvironments(body));
    const { items } = await this.environments.listSubEnvironments(caller.userId, environmentId);
    this.setStatus(201);
    return { environments: items.map(toEnvironmentView) };
  }

  /**
   * Removes an environment from its parent. Both continue to exist.
   * @summary Remove a sub environment
   */
  @Delete('{id}/environments/{sub_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The sub environment was removed')
  @Response<ErrorBody>(404, 'You have no such environment, or it has no such sub environment')
  async removeSubEnvironment(
    @Path() id: string,
    @Path() sub_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    const [environmentId, subId] = [readId(id, 'environment'), readId(sub_id, 'sub environment')];
    await this.environments.disconnectSubEnvironment(caller.userId, environmentId, subId);
    return {};
  }
}
