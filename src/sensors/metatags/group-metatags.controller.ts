import {
  Body,
  Controller,
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
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type TaggedSensorsResponse, toTaggedSensorsResponse } from './metatag.view';
import type { MetatagSearch } from './metatag-search';
import {
  type FindRequest,
  type MetatagListQuery,
  type OwnedMetatagListQuery,
  readFilter,
  readNamespace,
} from './metatags.request';

@Route('groups/{group_id}/sensors')
@Tags('Metatags')
@Response<ErrorBody>(400, 'Invalid input')
@Response<ErrorBody>(401, 'No valid session, key or token')
@Response<ErrorBody>(403, 'You are not a member of the group, or lack the right to list its sensors')
@Response<ErrorBody>(404, 'The group does not exist, or is hidden from you')
export class GroupMetatagsController extends Controller {
  constructor(private readonly search: MetatagSearch) {
    super();
  }

  /**
   * Lists sensors of a group with their metatags in a namespace, ordered by id: your own unless `sensor_owner` says
   * otherwise.
   * @summary List the sensors of a group with their metatags
   */
  @Get('metatags')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of sensors')
  async listGroupMetatags(
    @Path() group_id: string,
    @Queries() query: OwnedMetatagListQuery,
    @Inject() caller: Caller,
  ): Promise<TaggedSensorsResponse> {
    const groupId = readId(group_id, 'group');
    const scope = { userId: caller.userId, owner: query.sensor_owner ?? 'me', groupId };
    return toTaggedSensorsResponse(await this.search.list(scope, readNamespace(query), readPage(query)), query.details);
  }

  /**
   * Finds sensors of a group by their metatags and properties, regardless of their owner, in the same way as `POST
   * /sensors/find`.
   * @summary Find sensors of a group
   */
  @Post('find')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of matching sensors, ordered by id')
  async findGroupSensors(
    @Path() group_id: string,
    @Queries() query: MetatagListQuery,
    @Body() body: FindRequest,
    @Inject() caller: Caller,
  ): Promise<TaggedSensorsResponse> {
    const scope = { userId: caller.userId, owner: 'all' as const, groupId: readId(group_id, 'group') };
    const found = await this.search.find(scope, readNamespace(query), readFilter(body), readPage(query));
    return toTaggedSensorsResponse(found, query.details);
  }
}
