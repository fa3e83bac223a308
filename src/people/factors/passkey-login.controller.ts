import {
  Body,
  Controller,
  Header,
  Inject,
  NoSecurity,
  Post,
  Response,
  Route,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import type { Visitor } from '../../platform/caller';
import { type SessionResponse, sessionCookie } from '../accounts/session.view';
import type { PasskeyOptionsResponse } from './passkey.view';
import { type PasskeyLoginRequest, readAnswer } from './passkeys.request';
import type { PasskeysService } from './passkeys.service';

@Route('login/passkey')
@Tags('Sessions and account')
export class PasskeyLoginController extends Controller {
  constructor(private readonly passkeys: PasskeysService) {
    super();
  }

  /**
   * Returns what a browser needs to sign in with any passkey of this platform.
   * @summary Begin a login by passkey
   */
  @Post('options')
  @NoSecurity()
  @SuccessResponse(200, 'The options')
  async beginPasskeyLogin(@Inject() _visitor: Visitor): Promise<PasskeyOptionsResponse> {
    return { options: await this.passkeys.beginLogin() };
  }

  /**
   * Opens a session like `POST /login`, without a password: the passkey has verified its user.
   * @summary Log in by passkey
   * @param userAgent The program, which the list of sessions shows
   * @example userAgent "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
   */
  @Post()
  @NoSecurity()
  @SuccessResponse<{ 'X-SESSION_ID': string; 'Set-Cookie': string }>(200, 'The session was opened')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(401, 'The passkey is unknown, or no answer to new options', {
    error: 'the passkey could not be checked: try again',
    code: 'login_refused',
  })
  @Response<ErrorBody>(429, 'Too many refused logins by this passkey or from this address; see `Retry-After`', {
    error: 'too many refused logins; try again later',
    code: 'rate_limited',
  })
  @Response<ErrorBody>(503, 'Redis is not available; see `Retry-After`')
  async loginByPasskey(
    @Body() body: PasskeyLoginRequest,
    @Header('User-Agent') userAgent = '',
    @Inject() visitor: Visitor,
  ): Promise<SessionResponse> {
    const sessionId = await this.passkeys.login(readAnswer(body), { ...visitor, userAgent });
    this.setHeader('X-SESSION_ID', sessionId);
    this.setHeader('Set-Cookie', sessionCookie(sessionId, visitor.secure));
    return { session_id: sessionId };
  }
}
