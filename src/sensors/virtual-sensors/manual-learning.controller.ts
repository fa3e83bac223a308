import { Body, Controller, Inject, Path, Post, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller } from '../../platform/caller';
import type { LearnResponse } from './sensor-service.view';
import { type ManualLearnRequest, readLabelledRange } from './sensor-services.request';
import type { TrainingService } from './training.service';

@Route('sensors')
@Tags('Services')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class ManualLearningController extends Controller {
  constructor(private readonly learning: TrainingService) {
    super();
  }

  /**
   * Teaches a state to a `state_recognition_service` or `pose_prediction_service` of yours: it learns the stored data
   * of all its sensors between the two dates under the label, and replaces the training data of that range. Once it
   * knows two labels, it recognises them in new data.
   *
   * Up to 20,000 data points are learnt before the response. A longer range, or one that overlaps a waiting range, is
   * learnt afterwards, in the order of the requests. `points` is its number of data points, and the method
   * `GetLearningProgress` of the service reports the progress, and why a range was not learnt.
   * @summary Learn a state from a time range
   */
  @Post('{id}/services/{service_id}/manualLearn')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The range was learnt, or will be')
  @Response<ErrorBody>(400, 'Invalid input, or the range contains no data that can be learnt')
  @Response<ErrorBody>(403, 'You do not own the service')
  @Response<ErrorBody>(404, 'You have no such sensor or service, or the service does not learn')
  @Response<ErrorBody>(
    409,
    'The service has learnt the maximum number of labels, or too many long ranges are waiting',
    {
      error: 'the service has learnt 50 labels, which is all it can; let it forget one first',
      code: 'conflict',
    },
  )
  async manualLearn(
    @Path() id: string,
    @Path() service_id: string,
    @Body() body: ManualLearnRequest,
    @Inject() caller: Caller,
  ): Promise<LearnResponse> {
    const place = { sensorId: readId(id, 'sensor'), serviceId: readId(service_id, 'service') };
    return { result: 'ok', points: await this.learning.learn(caller.userId, place, readLabelledRange(body)) };
  }
}
