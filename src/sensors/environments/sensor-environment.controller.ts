import { Controller, Get, Inject, Path, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller } from '../../platform/caller';
import { type EnvironmentResponse, toEnvironmentView } from './environment.view';
import type { EnvironmentSensorsService } from './environment-sensors.service';

@Route('sensors')
@Tags('Environments')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class SensorEnvironmentController extends Controller {
  constructor(private readonly places: EnvironmentSensorsService) {
    super();
  }

  /**
   * Returns the environment of a sensor: the one of yours that you put it into, or otherwise the one of the sensor's
   * owner.
   * @summary Get the environment of a sensor
   */
  @Get('{id}/environment')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The environment')
  @Response<ErrorBody>(404, 'The sensor does not exist or you cannot see it, or it is in no environment')
  async getSensorEnvironment(@Path() id: string, @Inject() caller: Caller): Promise<EnvironmentResponse> {
    return { environment: toEnvironmentView(await this.places.findForSensor(caller.userId, readId(id, 'sensor'))) };
  }
}
