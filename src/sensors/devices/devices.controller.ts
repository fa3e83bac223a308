import {
  Controller,
  Get,
  Inject,
  Path,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type SensorPageResponse, toSensorPageResponse } from '../sensors/sensor.view';
import type { SensorPageQuery } from '../sensors/sensors.request';
import { type DeviceResponse, type DevicesResponse, toDeviceView } from './device.view';
import type { DevicesService } from './devices.service';

@Route('devices')
@Tags('Devices')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class DevicesController extends Controller {
  constructor(private readonly devices: DevicesService) {
    super();
  }

  /**
   * Lists your devices, ordered by id. A device stays in the list after its last sensor has left it.
   * @summary List devices
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of devices')
  @Response<ErrorBody>(400, 'Invalid input')
  async listDevices(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<DevicesResponse> {
    const { items, total } = await this.devices.list(caller.userId, readPage(query));
    return { devices: items.map(toDeviceView), total };
  }

  /**
   * Returns one of your devices. To read the device of a sensor that is shared with you, use `GET
   * /sensors/{id}/device`.
   * @summary Get a device
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The device')
  @Response<ErrorBody>(404, 'You have no such device')
  async getDevice(@Path() id: string, @Inject() caller: Caller): Promise<DeviceResponse> {
    return { device: toDeviceView(await this.devices.find(caller.userId, readId(id, 'device'))) };
  }

  /**
   * Lists the sensors on one of your devices, ordered by id.
   * @summary List the sensors of a device
   */
  @Get('{id}/sensors')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of sensors')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such device')
  async listDeviceSensors(
    @Path() id: string,
    @Queries() query: SensorPageQuery,
    @Inject() caller: Caller,
  ): Promise<SensorPageResponse> {
    const deviceId = readId(id, 'device');
    const page = await this.devices.listSensors(caller.userId, deviceId, readPage(query), query.details);
    return toSensorPageResponse(page, query.details);
  }
}
