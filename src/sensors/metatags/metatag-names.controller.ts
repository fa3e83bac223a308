import {
  Controller,
  Deprecated,
  Get,
  Inject,
  Path,
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
import type { DistinctValuesResponse } from './metatag.view';
import type { MetatagSearch } from './metatag-search';
import { type DistinctValuesQuery, readNamespace } from './metatags.request';

@Route('metatag_name')
@Tags('Metatags')
@Response<ErrorBody>(400, 'Invalid input')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class MetatagNamesController extends Controller {
  constructor(private readonly search: MetatagSearch) {
    super();
  }

  /**
   * The same as `GET /sensors/metatag_name/{metatag_name}/distinct_values`, kept for old clients.
   * @summary List the values of a metatag, by its old path
   * @param metatag_name The name of the metatag.
   * @example metatag_name "room"
   */
  @Get('{metatag_name}/distinct_values')
  @Deprecated()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of values')
  async listDistinctValuesByName(
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
}
