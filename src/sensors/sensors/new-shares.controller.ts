import {
  Body,
  Controller,
  Get,
  Inject,
  Post,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type DismissSharesRequest, type NewSharesResponse, readDismissed, toNewShareView } from './new-share.view';
import type { NewSharesService } from './new-shares.service';

@Route('sensors/shared')
@Tags('Sharing')
@Response<ErrorBody>(400, 'Invalid input')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class NewSharesController extends Controller {
  constructor(private readonly newShares: NewSharesService) {
    super();
  }

  /**
   * Lists the sensors that their owners shared with you without asking, until you dismiss them; the newest first. A
   * sensor whose invitation you accepted is not among them, and neither are the sensors of groups.
   * @summary List newly shared sensors
   */
  @Get('new')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of sensors')
  async listNewShares(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<NewSharesResponse> {
    const { items, total } = await this.newShares.list(caller.userId, readPage(query));
    return { shares: items.map(toNewShareView), total };
  }

  /**
   * Takes sensors out of the list of newly shared ones. You still see them.
   * @summary Dismiss newly shared sensors
   */
  @Post('dismiss')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The sensors are no longer listed as new')
  async dismissShares(@Body() body: DismissSharesRequest, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.newShares.dismiss(caller.userId, readDismissed(body));
    return {};
  }
}
