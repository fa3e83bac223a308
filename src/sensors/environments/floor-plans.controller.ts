import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Path,
  Produces,
  Put,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller } from '../../platform/caller';
import { type FloorPlanResponse, toFloorPlanResponse } from './floor-plan.view';
import { type FloorPlanRequest, readFloorPlan } from './floor-plans.request';
import type { FloorPlansService } from './floor-plans.service';
import { answerPicture } from './picture-headers';

@Route('environments')
@Tags('Environments')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class FloorPlansController extends Controller {
  constructor(private readonly plans: FloorPlansService) {
    super();
  }

  /**
   * Returns where the floor plan of one of your environments lies, and its size. The picture has its own address.
   * @summary Get the floor plan of an environment
   */
  @Get('{id}/floor_plan')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The floor plan')
  @Response<ErrorBody>(404, 'You have no such environment, or it has no floor plan')
  async getFloorPlan(@Path() id: string, @Inject() caller: Caller): Promise<FloorPlanResponse> {
    return toFloorPlanResponse(await this.plans.find(caller.userId, readId(id, 'environment')));
  }

  /**
   * Returns the picture of a floor plan, with its own content type. Only you can see it.
   * @summary Get the picture of a floor plan
   */
  @Get('{id}/floor_plan/image')
  @Produces('image/png')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The picture: PNG, JPEG or WebP')
  @Response<ErrorBody>(404, 'You have no such environment, or it has no floor plan')
  async getFloorPlanImage(@Path() id: string, @Inject() caller: Caller): Promise<Buffer> {
    return answerPicture(this, await this.plans.readImage(caller.userId, readId(id, 'environment')));
  }

  /**
   * Sets the picture behind the outline of one of your environments, or changes where it lies. Fields that are not given
   * keep their values. The type of the picture is read from its bytes.
   * @summary Set the floor plan of an environment
   */
  @Put('{id}/floor_plan')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The floor plan')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such environment')
  @Response<ErrorBody>(409, 'You have too many floor plans', {
    error: 'you have 200 floor plans, the most possible',
    code: 'conflict',
  })
  async setFloorPlan(
    @Path() id: string,
    @Body() body: FloorPlanRequest,
    @Inject() caller: Caller,
  ): Promise<FloorPlanResponse> {
    const changes = readFloorPlan(body.floor_plan);
    return toFloorPlanResponse(await this.plans.save(caller.userId, readId(id, 'environment'), changes));
  }

  /**
   * Deletes the floor plan of one of your environments. Its outline and the positions of its sensors stay.
   * @summary Delete the floor plan of an environment
   */
  @Delete('{id}/floor_plan')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The floor plan was deleted')
  @Response<ErrorBody>(404, 'You have no such environment, or it has no floor plan')
  async deleteFloorPlan(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.plans.delete(caller.userId, readId(id, 'environment'));
    return {};
  }
}
