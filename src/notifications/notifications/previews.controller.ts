import { Body, Controller, Inject, Post, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import type { Caller } from '../../platform/caller';
import { type PreviewRequest, readPreview } from './preview.request';
import { type PreviewResponse, toPreviewView } from './preview.view';
import type { NotificationPreviews } from './previews.service';

@Route('notifications/preview')
@Tags('Notifications')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class PreviewsController extends Controller {
  constructor(private readonly previews: NotificationPreviews) {
    super();
  }

  /**
   * Shows the request that a notification would send for one of your firings. The notification need not exist: the
   * fields are those of `POST /notifications`, or changes of an existing one. Nothing is stored or sent. Secrets and the
   * signature are shown as `…`. Previews count as tests do.
   * @summary Preview a notification
   */
  @Post()
  @Security('credential', ['write'])
  @SuccessResponse(200, 'What would be sent')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such notification, or no such firing')
  async previewNotification(@Body() body: PreviewRequest, @Inject() caller: Caller): Promise<PreviewResponse> {
    return { preview: toPreviewView(await this.previews.preview(caller.userId, (words) => readPreview(body, words))) };
  }
}
