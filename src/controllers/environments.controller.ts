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
import {
  type CreateEnvironmentRequest,
  readEnvironmentChanges,
  readNewEnvironment,
  type UpdateEnvironmentRequest,
} from '../requests/environments.request';
import { readId } from '../requests/id';
import { type PageQuery, readPage } from '../requests/paging';
import type { EnvironmentsService } from '../services/sensors/environments.service';
import type { EmptyView } from '../views/empty.view';
import { type EnvironmentResponse, type EnvironmentsResponse, toEnvironmentView } from '../views/environment.view';
import type { ErrorBody } from '../views/error.view';

@Route('environments')
@Tags('Environments')
@Security('session')
@Response<ErrorBody>(401, 'No valid session')
export class EnvironmentsController extends Controller {
  constructor(private readonly environments: EnvironmentsService) {
    super();
  }

  /**
   * Your environments, by id, those that are part of others too.
   * @summary List environments
   */
  @Get()
  @OperationId('listEnvironments')
  @SuccessResponse(200, 'A page of environments')
  @Response<ErrorBody>(400, 'Invalid input')
  async listEnvironments(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<EnvironmentsResponse> {
    const { items, total } = await this.environments.list(caller.userId, readPage(query));
    return { environments: items.map(toEnvironmentView), total };
  }

  /**
   * Makes an environment: a place with a name, and perhaps an outline, a centre and floors. An error names the point
   * of the outline that is wrong.
   * @summary Create an environment
   */
  @Post()
  @OperationId('createEnvironment')
  @SuccessResponse<{ Location: string }>(201, 'The environment exists')
  @Response<ErrorBody>(400, 'Invalid input')
  async createEnvironment(
    @Body() body: CreateEnvironmentRequest,
    @Inject() caller: Caller,
  ): Promise<EnvironmentResponse> {
    const environment = await this.environments.create(caller.userId, readNewEnvironment(body.environment));
    this.setStatus(201);
    this.setHeader('Location', `/environments/${environment.id}`);
    return { environment: toEnvironmentView(environment) };
  }

  /**
   * One of your environments.
   * @summary Read an environment
   */
  @Get('{id}')
  @OperationId('getEnvironment')
  @SuccessResponse(200, 'The environment')
  @Response<ErrorBody>(404, 'You have no such environment')
  async getEnvironment(@Path() id: string, @Inject() caller: Caller): Promise<EnvironmentResponse> {
    const environment = await this.environments.find(caller.userId, readId(id, 'environment'));
    return { environment: toEnvironmentView(environment) };
  }

  /**
   * Changes an environment of yours. Only the fields that are given change.
   * @summary Change an environment
   */
  @Put('{id}')
  @OperationId('updateEnvironment')
  @SuccessResponse(200, 'The environment as it is now')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such environment')
  async updateEnvironment(
    @Path() id: string,
    @Body() body: UpdateEnvironmentRequest,
    @Inject() caller: Caller,
  ): Promise<EnvironmentResponse> {
    const changes = readEnvironmentChanges(body.environment);
    const environment = await this.environments.update(caller.userId, readId(id, 'environment'), changes);
    return { environment: toEnvironmentView(environment) };
  }

  /**
   * Deletes an environment of yours. Its sensors and its sub environments stay: they are in none then.
   * @summary Delete an environment
   */
  @Delete('{id}')
  @OperationId('deleteEnvironment')
  @SuccessResponse(200, 'The environment is gone')
  @Response<ErrorBody>(404, 'You have no such environment')
  async deleteEnvironment(@Path() id: string, @Inject() caller: Caller): Promise<EmptyView> {
    await this.environments.delete(caller.userId, readId(id, 'environment'));
    return {};
  }
}
