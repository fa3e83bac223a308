import {
  Controller,
  Delete,
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
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { SessionCaller } from '../../platform/caller';
import { type AuthorizationsResponse, toAuthorizationView } from './authorization.view';
import type { AuthorizationsService } from './authorizations.service';

@Route('oauth/authorizations')
@Tags('Applications')
@Security('session')
@Response<ErrorBody>(401, 'No valid session')
export class AuthorizationsController extends Controller {
  constructor(private readonly authorizations: AuthorizationsService) {
    super();
  }

  /**
   * Lists your authorizations of applications: one entry for each application, ordered by id.
   * @summary List authorizations
   */
  @Get()
  @SuccessResponse(200, 'A page of authorizations')
  @Response<ErrorBody>(400, 'Invalid input')
  async listAuthorizations(
    @Queries() query: PageQuery,
    @Inject() caller: SessionCaller,
  ): Promise<AuthorizationsResponse> {
    const list = await this.authorizations.list(caller.userId, readPage(query));
    return { authorizations: list.items.map(toAuthorizationView), total: list.total };
  }

  /**
   * Ends an authorization of an application. All its tokens for your account end at once.
   * @summary Revoke an authorization
   */
  @Delete('{id}')
  @SuccessResponse(200, 'The authorization was revoked')
  @Response<ErrorBody>(404, 'You have no such authorization')
  async revokeAuthorization(@Path() id: string, @Inject() caller: SessionCaller): Promise<EmptyResponse> {
    await this.authorizations.end(caller.userId, readId(id, 'authorization'));
    return {};
  }
}
