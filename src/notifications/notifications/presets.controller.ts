import { Controller, Get, Inject, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import type { Caller } from '../../platform/caller';
import { listPresets, type PresetsResponse } from './preset.view';

@Route('notifications/presets')
@Tags('Notifications')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class PresetsController extends Controller {
  /**
   * Lists the services that a notification can be made for by its `preset`, and the fields that each of them needs.
   * @summary List presets
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'All presets')
  async listPresets(@Inject() _caller: Caller): Promise<PresetsResponse> {
    return listPresets();
  }
}
