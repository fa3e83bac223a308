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
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller } from '../../platform/caller';
import { type MetatagsResponse, toMetatagsView } from './metatag.view';
import { type MetatagsRequest, type NamespaceQuery, readMetatagsOf, readNamespace } from './metatags.request';
import type { MetatagsService } from './metatags.service';

@Route('sensors/{id}/metatags')
@Tags('Metatags')
@Response<ErrorBody>(400, 'Invalid input; nothing has changed')
@Response<ErrorBody>(401, 'No valid session, key or token')
@Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
export class MetatagsController extends Controller {
  constructor(private readonly metatags: MetatagsService) {
    super();
  }

  /**
   * Returns the metatags of a sensor in a namespace.
   * @summary Get the metatags of a sensor
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The metatags')
  async getMetatags(
    @Path() id: string,
    @Queries() query: NamespaceQuery,
    @Inject() caller: Caller,
  ): Promise<MetatagsResponse> {
    const metatags = await this.metatags.find(caller.userId, readId(id, 'sensor'), readNamespace(query));
    return { metatags: toMetatagsView(metatags) };
  }

  /**
   * Sets metatags of one of your sensors: the given values replace the values of the same name, and other names keep
   * theirs.
   * @summary Add metatags to a sensor
   */
  @Post()
  @Security('credential', ['write'])
  @SuccessResponse(201, 'All metatags of the namespace after the change')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  async addMetatags(
    @Path() id: string,
    @Queries() query: NamespaceQuery,
    @Body() body: MetatagsRequest,
    @Inject() caller: Caller,
  ): Promise<MetatagsResponse> {
    const [sensorId, given] = [readId(id, 'sensor'), readMetatagsOf(body)];
    const metatags = await this.metatags.merge(caller.userId, sensorId, readNamespace(query), given);
    this.setStatus(201);
    return { metatags: toMetatagsView(metatags) };
  }

  /**
   * Replaces all metatags of one of your sensors in a namespace: names that are not given are removed.
   * @summary Replace the metatags of a sensor
   */
  @Put()
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The metatags after the change')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  async replaceMetatags(
    @Path() id: string,
    @Queries() query: NamespaceQuery,
    @Body() body: MetatagsRequest,
    @Inject() caller: Caller,
  ): Promise<MetatagsResponse> {
    const [sensorId, given] = [readId(id, 'sensor'), readMetatagsOf(body)];
    const metatags = await this.metatags.replace(caller.userId, sensorId, readNamespace(query), given);
    return { metatags: toMetatagsView(metatags) };
  }

  /**
   * Deletes all metatags of one of your sensors in a namespace.
   * @summary Delete the metatags of a sensor
   */
  @Delete()
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The namespace is empty')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  async deleteMetatags(
    @Path() id: string,
    @Queries() query: NamespaceQuery,
    @Inject() caller: Caller,
  ): Promise<MetatagsResponse> {
    const sensorId = readId(id, 'sensor');
    const metatags = await this.metatags.replace(caller.userId, sensorId, readNamespace(query), new Map());
    return { metatags: toMetatagsView(metatags) };
  }
}
