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
import { type KeyResponse, type KeysResponse, type NewKeyResponse, toKeyView } from './key.view';
import { type CreateKeyRequest, readKeyFields, readNewKey, type UpdateKeyRequest } from './keys.request';
import type { KeysService } from './keys.service';

@Route('keys')
@Tags('Keys')
@Response<ErrorBody>(401, 'No valid session')
export class KeysController extends Controller {
  constructor(private readonly keys: KeysService) {
    super();
  }

  /**
   * Lists your keys, ordered by id, without their secrets. Expired keys are included.
   * @summary List keys
   */
  @Get()
  @Security('session')
  @SuccessResponse(200, 'A page of keys')
  @Response<ErrorBody>(400, 'Invalid input')
  async listKeys(@Queries() query: PageQuery, @Inject() caller: SessionCaller): Promise<KeysResponse> {
    const { items, total } = await this.keys.list(caller.userId, readPage(query));
    return { keys: items.map(toKeyView), total };
  }

  /**
   * Creates a key for a device or a program. Its `secret` is returned here and never again: only its hash is stored.
   * Requests send it as `Authorization: Bearer <secret>`, or as the parameter `API_KEY`. A key never reaches your
   * account. With `sensors` it reaches the operations under `/sensors/{id}` of these sensors, and `GET /sensors`,
   * `/sensors/data`, `/sensors/find` and `/reports/sensors`, which are limited to them; it can neither share nor delete
   * a sensor. A new password does not end keys.
   * @summary Create a key
   */
  @Post()
  @Security('session')
  @SuccessResponse<{ Location: string }>(201, 'The key was created')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'One of the sensors does not exist, or you cannot see it', {
    error: 'key.sensors[0] names a sensor that does not exist',
    code: 'not_found',
    fields: { 'key.sensors[0]': 'names a sensor that does not exist' },
  })
  @Response<ErrorBody>(409, 'You have 100 keys', {
    error: 'you have 100 keys, which is as many as you can',
    code: 'conflict',
  })
  async createKey(@Body() body: CreateKeyRequest, @Inject() caller: SessionCaller): Promise<NewKeyResponse> {
    const { key, secret } = await this.keys.create(caller, readNewKey(body.key));
    this.setStatus(201);
    this.setHeader('Location', `/keys/${key.id}`);
    return { key: { ...toKeyView(key), secret } };
  }

  /**
   * Returns one of your keys, without its secret.
   * @summary Get a key
   */
  @Get('{id}')
  @Security('session')
  @SuccessResponse(200, 'The key')
  @Response<ErrorBody>(404, 'You have no such key')
  async getKey(@Path() id: string, @Inject() caller: SessionCaller): Promise<KeyResponse> {
    return { key: toKeyView(await this.keys.get(caller.userId, readId(id, 'key'))) };
  }

  /**
   * Changes the name, the end or the sensors of a key, from its next request on. The scopes and the secret do not
   * change.
   * @summary Update a key
   */
  @Put('{id}')
  @Security('session')
  @SuccessResponse(200, 'The updated key')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such key, or cannot see one of the sensors')
  async updateKey(
    @Path() id: string,
    @Body() body: UpdateKeyRequest,
    @Inject() caller: SessionCaller,
  ): Promise<KeyResponse> {
    const key = await this.keys.update(caller.userId, readId(id, 'key'), readKeyFields(body.key));
    return { key: toKeyView(key) };
  }

  /**
   * Deletes a key. It is refused from the next request on.
   * @summary Delete a key
   */
  @Delete('{id}')
  @Security('session')
  @SuccessResponse(200, 'The key was deleted')
  @Response<ErrorBody>(404, 'You have no such key')
  async deleteKey(@Path() id: string, @Inject() caller: SessionCaller): Promise<EmptyResponse> {
    await this.keys.delete(caller.userId, readId(id, 'key'));
    return {};
  }
}
