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
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type DistinctValuesResponse, type TaggedSensorsResponse, toTaggedSensorsResponse } from './metatag.view';
import type { MetatagSearch } from './metatag-search';
import {
  type DistinctValuesQuery,
  type FindRequest,
  type OwnedMetatagListQuery,
  readFilter,
  readNamespace,
  readPresent,
} from './metatags.request';

@Route('sensors')
@Tags('Metatags')
@Response<ErrorBody>(400, 'Invalid input')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class MetatagSearchController extends Controller {
  constructor(private readonly search: MetatagSearch) {
    super();
  }

  /**
   * Lists sensors with their metatags in a namespace, ordered by id. Sensors without metatags are included.
   * @summary List sensors with their metatags
   */
  @Get('metatags')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of sensors')
  async listMetatags(
    @Queries() query: OwnedMetatagListQuery,
    @Inject() caller: Caller,
  ): Promise<TaggedSensorsResponse> {
    const scope = { userId: caller.userId, owner: query.sensor_owner ?? 'me' };
    const found = await this.search.list(scope, readNamespace(query), readPage(query));
    return this.answer(caller, query, found);
  }

  /**
   * Finds sensors by their metatags and properties, and by what they are doing now. In each inner list at least one statement must hold; the outer list
   * may be left out. Strings are compared without regard to letter case.
   * @summary Find sensors
   */
  @Post('find')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of matching sensors, ordered by id')
  async findSensors(
    @Queries() query: OwnedMetatagListQuery,
    @Body() body: FindRequest,
    @Inject() caller: Caller,
  ): Promise<TaggedSensorsResponse> {
    const reached = caller.credential.sensors;
    const scope = { userId: caller.userId, owner: query.sensor_owner ?? 'me', reached };
    const found = await this.search.find(
      scope,
      readNamespace(query),
      readFilter(body),
      readPage(query),
      readPresent(body),
    );
    return this.answer(caller, query, found);
  }

  /**
   * Lists the distinct values of a metatag over all sensors that you can see.
   * @summary List the values of a metatag
   * @param metatag_name The name of the metatag.
   * @example metatag_name "room"
   */
  @Get('metatag_name/{metatag_name}/distinct_values')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of values')
  async listDistinctValues(
    @Path() metatag_name: string,
    @Queries() query: DistinctValuesQuery,
    @Inject() caller: Caller,
  ): Promise<DistinctValuesResponse> {
    const { items, total } = await this.search.distinctValues(
      caller.userId,
      metatag_name,
      readNamespace(query),
      readPage(query),
    );
    return { distinct_values: items, total };
  }

  private async answer(
    { userId }: Caller,
    query: OwnedMetatagListQuery,
    found: Awaited<ReturnType<MetatagSearch['find']>>,
  ): Promise<TaggedSensorsResponse> {
    const { details, all_namespaces: isAll = false } = query;
    const whole = isAll && details !== 'no' ? await this.search.withOthers(found, readNamespace(query)) : found;
    return toTaggedSensorsResponse(await this.search.describe(userId, whole, details), details);
  }
}
