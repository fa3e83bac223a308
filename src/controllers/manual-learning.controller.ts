import {
  Body,
  Controller,
  Inject,
  OperationId,
  Path,
  Post,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Caller } from '../caller';
import { readId } from '../requests/id';
import { type ManualLearnRequest, readLabelledRange } from '../requests/learning.request';
import type { TrainingService } from '../services/virtual-sensors/training.service';
import type { ErrorBody } from '../views/error.view';
import type { LearntView } from '../views/learning.view';

@Route('sensors')
@Tags('Services')
@Security('session')
@Response<ErrorBody>(401, 'No valid session')
export class ManualLearningController extends Controller {
  constructor(private readonly learning: TrainingService) {
    super();
  }

  /**
   * Teaches a `state_recognition_service` or `pose_prediction_service` of yours a state: the stored data of all its
   * sensors between the two dates is learnt under the label, in the place of what was learnt of that range before. Once two labels
   * are learnt, the service recognises them in the data that comes.
   *
   * Up to 20,000 data points are learnt before the answer. A range with more, or one that overlaps a range that still waits,
   * is learnt after it, in the order in which ranges were asked for: `points` is how many will be read, and the service's method
   * `GetLearningProgress` reports how far it is, and why a range was not learnt.
   * @summary Learn a state from a range of time
   */
  @Post('{id}/services/{service_id}/manualLearn')
  @OperationId('manualLearn')
  @SuccessResponse(200, 'The range was learnt, or will be')
  @Response<ErrorBody>(400, 'Invalid input, or the range holds no data that can be learnt')
  @Response<ErrorBody>(403, 'The service is not your own')
  @Response<ErrorBody>(404, 'You have no such sensor or service, or the service does not learn')
  @Response<ErrorBody>(409, 'The service knows as many labels as it can, or as many long ranges wait as may', {
    error: 'the service has learnt 50 labels, which is all it can; let it forget one first',
    code: 'conflict',
  })
  async manualLearn(
    @Path() id: string,
    @Path() service_id: string,
    @Body() body: ManualLearnRequest,
    @Inject() caller: Caller,
  ): Promise<LearntView> {
    const place = { sensorId: readId(id, 'sensor'), serviceId: readId(service_id, 'service') };
    return { result: 'ok', points: await this.learning.learn(caller.userId, place, readLabelledRange(body)) };
  }
}
