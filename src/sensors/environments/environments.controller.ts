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
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type EnvironmentResponse, type EnvironmentsResponse, toEnvironmentView } from './environment.view';
import { type CreateEnvironmentRequest, readEnvironment, type UpdateEnvironmentRequest } from './environments.request';
import type { EnvironmentsService } from './environments.service';

@Route('environments')
@Tags('Environments')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class EnvironmentsController extends Controller {
  constructor(private readonly environments: EnvironmentsService) {
    super();
  }

  /**
   * Lists your environments, ordered by id, including sub environments.
   * @summary List environments
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of environments')
  @Response<ErrorBody>(400, 'Invalid input')
  async listEnvironments(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<EnvironmentsResponse> {
    const { items, total } = await this.environments.list(caller.userId, readPage(query));
    return { environments: items.map(toEnvironmentView), total };
  }

  /**
   * Creates an environment: a place with a name, and optionally an outline, a centre and floors. An error names the
   * point of the outline that is wrong.
   * @summary Create an environment
   */
  @Post()
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The environment was created')
  @Response<ErrorBody>(400, 'Invalid input')
  async createEnvironment(
    @Body() body: CreateEnvironmentRequest,
    @Inject() caller: Caller,
  ): Promise<EnvironmentResponse> {
    const fields = { ...readEnvironment(body.environment), name: body.environment.name };
    const environment = await this.environments.create(caller.userId, fields);
    this.setStatus(201);
    this.setHeader('Location', `/environments/${environment.id}`);
    return { environment: toEnvironmentView(environment) };
  }

  /**
   * Returns one of your environments.
   * @summary Get an environment
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The environment')
  @Response<ErrorBody>(404, 'You have no such environment')
  async getEnvironment(@Path() id: string, @Inject() caller: Caller): Promise<EnvironmentResponse> {
    const environment = await this.environments.find(caller.userId, readId(id, 'environment'));
    return { environment: toEnvironmentView(environment) };
  }

  /**
   * Changes one of your environments. Fields that are not given keep their values.
   * @summary Update an environment
   */
  @Put('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated environment')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such environment')
  async updateEnvironment(
    @Path() id: string,
    @Body() body: UpdateEnvironmentRequest,
    @Inject() caller: Caller,
  ): Promise<EnvironmentResponse> {
    const changes = readEnvironment(body.environment);
    const environment = await this.environments.update(caller.userId, readId(id, 'environment'), changes);
    return { environment: toEnvironmentView(environment) };
  }

  /**
   * Deletes one of your environments. Its sensors and sub environments stay, outside of any environment.
   * @summary Delete an environment
   */
  @Delete('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The environment was deleted')
  @Response<ErrorBody>(404, 'You have no such environment')
  async deleteEnvironment(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.environments.delete(caller.userId, readId(id, 'environment'));
    return {};
  }
}
