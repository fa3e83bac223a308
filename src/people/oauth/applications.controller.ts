import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Path,
  Post,
  Put,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { SessionCaller } from '../../platform/caller';
import {
  type ApplicationResponse,
  type ApplicationsResponse,
  type ApplicationWithSecretResponse,
  toApplicationView,
  toApplicationWithSecretView,
} from './application.view';
import { type ApplicationRequest, readApplicationChanges, readNewApplication } from './applications.request';
import type { ApplicationsService } from './applications.service';

@Route('oauth')
@Tags('Applications')
@Security('session')
@Response<ErrorBody>(401, 'No valid session')
export class ApplicationsController extends Controller {
  constructor(private readonly applications: ApplicationsService) {
    super();
  }

  /**
   * Registers an application, which can then ask users for access to their account by OAuth 1.0a or OAuth 2. The
   * response is the only one that shows the secret. Fields may stand under `application`, in the body itself, or in the
   * query.
   * @summary Register an application
   */
  @Post('register_app')
  @SuccessResponse<{ Location: string }>(201, 'The application was registered')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(409, 'You have 100 applications', {
    error: 'you have 100 applications, which is as many as you can',
    code: 'conflict',
  })
  async registerApplication(
    @Body() body: ApplicationRequest,
    @Inject() caller: SessionCaller,
  ): Promise<ApplicationWithSecretResponse> {
    const registered = await this.applications.register(caller, readNewApplication(body));
    this.setStatus(201);
    this.setHeader('Location', `/oauth/applications/${registered.application.id}`);
    return { application: toApplicationWithSecretView(registered) };
  }

  /**
   * Lists the applications that you registered, ordered by id.
   * @summary List applications
   */
  @Get('applications')
  @SuccessResponse(200, 'A page of applications')
  @Response<ErrorBody>(400, 'Invalid input')
  async listApplications(@Queries() query: PageQuery, @Inject() caller: SessionCaller): Promise<ApplicationsResponse> {
    const list = await this.applications.list(caller.userId, readPage(query));
    return { applications: list.items.map(toApplicationView), total: list.total };
  }

  /**
   * Returns one of your applications, without its secret.
   * @summary Get an application
   */
  @Get('applications/{id}')
  @SuccessResponse(200, 'The application')
  @Response<ErrorBody>(404, 'You have no such application')
  async getApplication(@Path() id: string, @Inject() caller: SessionCaller): Promise<ApplicationResponse> {
    const application = await this.applications.find(caller.userId, readId(id, 'application'));
    return { application: toApplicationView(application) };
  }

  /**
   * Changes the name, the description or the callbacks; a given list of callbacks replaces all of them. The
   * authorizations of users do not change.
   * @summary Update an application
   */
  @Put('applications/{id}')
  @SuccessResponse(200, 'The updated application')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such application')
  async updateApplication(
    @Path() id: string,
    @Body() body: ApplicationRequest,
    @Inject() caller: SessionCaller,
  ): Promise<ApplicationResponse> {
    const applicationId = readId(id, 'application');
    const { type } = await this.applications.find(caller.userId, applicationId);
    const changes = readApplicationChanges(body, type);
    return { application: toApplicationView(await this.applications.update(caller.userId, applicationId, changes)) };
  }

  /**
   * Deletes an application. All its tokens end at once.
   * @summary Delete an application
   */
  @Delete('applications/{id}')
  @SuccessResponse(200, 'The application was deleted')
  @Response<ErrorBody>(404, 'You have no such application')
  async deleteApplication(@Path() id: string, @Inject() caller: SessionCaller): Promise<EmptyResponse> {
    await this.applications.delete(caller.userId, readId(id, 'application'));
    return {};
  }

  /**
   * Replaces the secret of an application. Only this response shows the new one. The old secret ends at once;
   * authorizations and tokens stay valid.
   * @summary Replace the secret of an application
   */
  @Post('applications/{id}/rotate')
  @SuccessResponse(200, 'The application with its new secret')
  @Response<ErrorBody>(404, 'You have no such application')
  async rotateApplicationSecret(
    @Path() id: string,
    @Inject() caller: SessionCaller,
  ): Promise<ApplicationWithSecretResponse> {
    const rotated = await this.applications.rotate(caller, readId(id, 'application'));
    return { application: toApplicationWithSecretView(rotated) };
  }
}
