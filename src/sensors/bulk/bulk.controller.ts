import {
  Body,
  Controller,
  Header,
  Inject,
  Post,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import type { Caller } from '../../platform/caller';
import { Words } from '../../platform/words/words';
import { type BulkRequest, readAction, readSelection } from './bulk.request';
import type { BulkService } from './bulk.service';
import { type BulkResponse, toBulkView } from './bulk.view';

@Route('sensors')
@Tags('Sensors')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class BulkController extends Controller {
  constructor(private readonly bulk: BulkService) {
    super();
  }

  /**
   * Does one action on many of your sensors, for example connects a trigger to 60 of them. They are named by `sensors`,
   * or found by `filter`. The sensors on which it was refused are listed with the reason; it is done on the others.
   * Sending the same request again is harmless.
   * @summary Change many sensors at once
   * @param language The language of the reasons, `de` for German
   * @example language "de"
   */
  @Post('bulk')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'On how many sensors it was done, and on which it was not')
  @Response<ErrorBody>(400, 'Invalid input; nothing was done', {
    error: 'sensors is required without filter; "all": true selects everything',
    code: 'invalid_input',
    fields: { sensors: 'is required without filter; "all": true selects everything' },
  })
  @Response<ErrorBody>(404, 'The trigger or a notification does not exist; nothing was done')
  async changeSensors(
    @Body() body: BulkRequest,
    @Header('Accept-Language') language = '',
    @Inject() caller: Caller,
  ): Promise<BulkResponse> {
    const result = await this.bulk.run(caller, readSelection(body), readAction(body.action));
    return toBulkView(result, Words.preferredBy(language));
  }
}
