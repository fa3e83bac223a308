import { Body, Controller, Inject, Path, Post, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { SessionCaller } from '../../platform/caller';
import { type NewPasskeyResponse, type PasskeyOptionsResponse, toPasskeyView } from './passkey.view';
import { type NewPasskeyRequest, readAnswer } from './passkeys.request';
import type { PasskeysService } from './passkeys.service';
import type { ProofRequest } from './second-factors.request';

@Route('passkeys')
@Tags('Sessions and account')
@Response<ErrorBody>(401, 'No valid session')
export class PasskeysController extends Controller {
  constructor(private readonly passkeys: PasskeysService) {
    super();
  }

  /**
   * Returns what a browser needs to make a passkey (WebAuthn). The passkey must verify its user, by a PIN, a finger or a
   * face: it then signs in alone.
   * @summary Begin with a passkey
   */
  @Post('options')
  @Security('session')
  @SuccessResponse(200, 'The options')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'Neither the password nor a code was given, or it is wrong', {
    error: 'current_password or otp is required',
    code: 'password_required',
  })
  @Response<ErrorBody>(409, 'The account has too many passkeys', {
    error: 'an account has at most 20 passkeys: remove one first',
    code: 'conflict',
  })
  async beginPasskey(@Body() body: ProofRequest, @Inject() caller: SessionCaller): Promise<PasskeyOptionsResponse> {
    return { options: await this.passkeys.begin(caller, body) };
  }

  /**
   * Adds the passkey that the browser made with these options. From now on, `POST /login` asks for a second factor. The
   * owner gets a mail, if the address is confirmed. With the first factor, ten recovery codes are returned.
   * @summary Add a passkey
   */
  @Post()
  @Security('session')
  @SuccessResponse(201, 'The passkey was added')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'The passkey is no answer to the options of this session', {
    error: 'the passkey could not be checked: try again',
    code: 'passkey_refused',
  })
  @Response<ErrorBody>(409, 'The passkey is known, or the account has too many', {
    error: 'this passkey is known already',
    code: 'conflict',
  })
  async addPasskey(@Body() body: NewPasskeyRequest, @Inject() caller: SessionCaller): Promise<NewPasskeyResponse> {
    const { passkey, codes } = await this.passkeys.add(caller, body.name, readAnswer(body));
    this.setStatus(201);
    return { passkey: toPasskeyView(passkey), recovery_codes: codes };
  }

  /**
   * Removes a passkey. With the last second factor, the recovery codes end. The owner gets a mail, if the address is
   * confirmed.
   * @summary Remove a passkey
   */
  @Post('{id}/remove')
  @Security('session')
  @SuccessResponse(200, 'The passkey was removed')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'Neither the password nor a code was given, or it is wrong', {
    error: 'current_password or otp is required',
    code: 'password_required',
  })
  @Response<ErrorBody>(404, 'You have no such passkey', { error: 'the passkey does not exist', code: 'not_found' })
  @Response<ErrorBody>(409, 'The account has no password, no other passkey and no identity', {
    error: 'this is the only way to log in to this account: choose a password first',
    code: 'conflict',
  })
  async removePasskey(
    @Path() id: string,
    @Body() body: ProofRequest,
    @Inject() caller: SessionCaller,
  ): Promise<EmptyResponse> {
    await this.passkeys.remove(caller, readId(id, 'passkey'), body);
    return {};
  }
}
