import {
  Body,
  Controller,
  Get,
  Inject,
  Post,
  Put,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import type { SessionCaller } from '../../platform/caller';
import type { PasskeysService } from './passkeys.service';
import type { ConfirmTotpRequest, ProofRequest } from './second-factors.request';
import type { SecondFactorsService } from './second-factors.service';
import {
  type NewTotpResponse,
  type RecoveryCodesResponse,
  type SecondFactorsResponse,
  toNewTotpView,
  toSecondFactorsView,
} from './second-factors.view';

@Route('second_factors')
@Tags('Sessions and account')
@Response<ErrorBody>(401, 'No valid session')
export class SecondFactorsController extends Controller {
  constructor(
    private readonly factors: SecondFactorsService,
    private readonly passkeys: PasskeysService,
  ) {
    super();
  }

  /**
   * Returns what your account has besides its password, without secrets.
   * @summary Get your second factors
   */
  @Get()
  @Security('session')
  @SuccessResponse(200, 'The second factors')
  async getSecondFactors(@Inject() caller: SessionCaller): Promise<SecondFactorsResponse> {
    const passkeys = await this.passkeys.list(caller.userId);
    return toSecondFactorsView({ ...(await this.factors.list(caller.userId)), passkeys });
  }

  /**
   * Makes a secret for an authenticator app (TOTP, RFC 6238), which is shown only here. Sign-in does not change until
   * you confirm a code of the app. Another call replaces the secret.
   * @summary Begin with an authenticator app
   */
  @Post('totp')
  @Security('session')
  @SuccessResponse(200, 'The secret')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'Neither the password nor a code was given, or it is wrong', {
    error: 'current_password or otp is required',
    code: 'password_required',
  })
  @Response<ErrorBody>(409, 'The account has an authenticator app', {
    error: 'the account has an authenticator app: remove it before you set up another one',
    code: 'conflict',
  })
  async beginTotp(@Body() body: ProofRequest, @Inject() caller: SessionCaller): Promise<NewTotpResponse> {
    return toNewTotpView(await this.factors.beginTotp(caller, body));
  }

  /**
   * Confirms the first code of the app: from now on, `POST /login` asks for a code. Your sessions stay, and keys and
   * applications are not asked. The owner gets a mail, if the address is confirmed. With the first factor, ten recovery
   * codes are returned here and never again.
   * @summary Confirm an authenticator app
   */
  @Put('totp')
  @Security('session')
  @SuccessResponse(200, 'The app is a second factor now')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'The code is wrong', {
    error: 'the code is wrong, too old or was used before',
    code: 'wrong_code',
  })
  async confirmTotp(@Body() body: ConfirmTotpRequest, @Inject() caller: SessionCaller): Promise<RecoveryCodesResponse> {
    return { recovery_codes: await this.factors.confirmTotp(caller, body.otp) };
  }

  /**
   * Removes the authenticator app. With the last second factor, the recovery codes end. The owner gets a mail, if the
   * address is confirmed.
   * @summary Remove an authenticator app
   */
  @Post('totp/remove')
  @Security('session')
  @SuccessResponse(200, 'The app was removed')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'Neither the password nor a code was given, or it is wrong', {
    error: 'current_password or otp is required',
    code: 'password_required',
  })
  @Response<ErrorBody>(409, 'There is no app', { error: 'the account has no authenticator app', code: 'conflict' })
  async removeTotp(@Body() body: ProofRequest, @Inject() caller: SessionCaller): Promise<EmptyResponse> {
    await this.factors.removeTotp(caller, body);
    return {};
  }

  /**
   * Makes ten new recovery codes; the earlier ones end. They are returned here and never again: only their hashes are
   * stored. The owner gets a mail, if the address is confirmed.
   * @summary Make recovery codes
   */
  @Post('recovery_codes')
  @Security('session')
  @SuccessResponse(200, 'The new codes')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'Neither the password nor a code was given, or it is wrong', {
    error: 'current_password or otp is required',
    code: 'password_required',
  })
  @Response<ErrorBody>(409, 'There is no second factor', {
    error: 'recovery codes need a second factor: set one up first',
    code: 'conflict',
  })
  async makeRecoveryCodes(@Body() body: ProofRequest, @Inject() caller: SessionCaller): Promise<RecoveryCodesResponse> {
    return { recovery_codes: await this.factors.renewCodes(caller, body) };
  }
}
