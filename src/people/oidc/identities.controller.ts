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
import type { SessionCaller } from '../../platform/caller';
import type { ProofRequest } from '../factors/second-factors.request';
import type { IdentitiesService } from './identities.service';
import { type IdentitiesResponse, type LinkResponse, toIdentityView } from './identity.view';

@Route()
@Tags('Sessions and account')
@Response<ErrorBody>(401, 'No valid session')
export class IdentitiesController extends Controller {
  constructor(private readonly identities: IdentitiesService) {
    super();
  }

  /**
   * Lists the identities at the provider of OpenID Connect that may log in to your account, ordered by id.
   * @summary List your identities
   */
  @Get('identities')
  @Security('session')
  @SuccessResponse(200, 'A page of identities')
  @Response<ErrorBody>(400, 'Invalid input')
  async listIdentities(@Queries() query: PageQuery, @Inject() caller: SessionCaller): Promise<IdentitiesResponse> {
    const { items, total } = await this.identities.list(caller.userId, readPage(query));
    return { identities: items.map(toIdentityView), total };
  }

  /**
   * Begins to link an identity at the provider of OpenID Connect to your account. Open `location` in the browser whose
   * cookie has this session: the provider asks for the login there, and then leads back to the console. If the session is
   * older than ten minutes, or the account has a second factor, this requires `current_password` or `otp`.
   * @summary Link an identity
   */
  @Post('login/oidc/link')
  @Security('session')
  @SuccessResponse(200, 'The page that goes on')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'The current password or a code is required, or wrong', {
    error: 'the current password is wrong',
    code: 'wrong_password',
  })
  @Response<ErrorBody>(409, 'This platform has no identity provider', {
    error: 'this platform has no identity provider',
    code: 'conflict',
  })
  async linkIdentity(@Body() body: ProofRequest, @Inject() caller: SessionCaller): Promise<LinkResponse> {
    return { location: `/login/oidc?link=${await this.identities.ticket(caller, body)}` };
  }

  /**
   * Removes an identity from your account, and ends the sessions that it opened, except the one of this request. The only
   * way to log in stays: a password, another identity or a passkey must be left. The owner gets a mail, if the address is
   * confirmed.
   * @summary Unlink an identity
   */
  @Delete('identities/{id}')
  @Security('session')
  @SuccessResponse(200, 'The identity was removed')
  @Response<ErrorBody>(404, 'You have no such identity', { error: 'the identity does not exist', code: 'not_found' })
  @Response<ErrorBody>(409, 'The account has no password, no other identity and no passkey', {
    error: 'this is the only way to log in to this account: choose a password first',
    code: 'conflict',
  })
  async unlinkIdentity(@Path() id: string, @Inject() caller: SessionCaller): Promise<EmptyResponse> {
    await this.identities.unlink(caller, readId(id, 'identity'));
    return {};
  }
}
