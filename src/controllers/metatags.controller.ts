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
import { readId } from '../requests/id';
import { type MetatagsRequest, type NamespaceQuery, readMetatagsOf, readNamespace } from '../requests/metatags.request';
import type { MetatagsService } from '../services/metatags/metatags.service';
import type { ErrorBody } from '../views/error.view';
import { type MetatagsResponse, toMetatagsView } from '../views/metatag.view';

@Route('sensors/{id}/metatags')
@Tags('Metatags')
@Security('session')
@Response<ErrorBody>(400, 'Invalid input; nothing has changed')
@Response<ErrorBody>(401, 'No valid session')
@Response<ErrorBody>(404, 'There is no such sensor, or you may not see it')
export class MetatagsController extends Controller {
  constructor(private readonly metatags: MetatagsService) {
    super();
  }

  /**
   * The metatags of a sensor in a namespace.
   * @summary Read the metatags of a sensor
   */
  @Get()
  @OperationId('getMetatags')
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
   * Sets metatags of a sensor of yours: a name that is given gets just the values that are given, other names stay.
   * @summary Add metatags to a sensor
   */
  @Post()
  @OperationId('addMetatags')
  @SuccessResponse(201, 'All metatags of the namespace as they are now')
  @Response<ErrorBody>(403, 'The sensor is shared with you, but not yours')
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
   * Replaces all metatags of a sensor of yours in a namespace: names that are not given are removed.
   * @summary Replace the metatags of a sensor
   */
  @Put()
  @OperationId('replaceMetatags')
  @SuccessResponse(200, 'The metatags as they are now')
  @Response<ErrorBody>(403, 'The sensor is shared with you, but not yours')
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
   * Deletes all metatags of a sensor of yours in a namespace.
   * @summary Delete the metatags of a sensor
   */
  @Delete()
  @OperationId('deleteMetatags')
  @SuccessResponse(200, 'The namespace is empty')
  @Response<ErrorBody>(403, 'The sensor is shared with you, but not yours')
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
