import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Path,
  Post,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller } from '../../platform/caller';
import { type DeviceResponse, toDeviceView } from './device.view';
import { type AttachDeviceRequest, readDeviceName } from './devices.request';
import type { DevicesService } from './devices.service';

@Route('sensors')
@Tags('Devices')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class SensorDeviceController extends Controller {
  constructor(private readonly devices: DevicesService) {
    super();
  }

  /**
   * Attaches one of your sensors to a device and makes it physical (type 1). The device is named by the `id` of one of
   * yours, or by `type` and `uuid` together; if you have no such device, it is created. A sensor is on one device at a
   * time, so it leaves its previous device, which stays.
   * @summary Attach a sensor to a device
   */
  @Post('{id}/device')
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The device')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor does not exist or you cannot see it, or you have no such device')
  async attachDevice(
    @Path() id: string,
    @Body() body: AttachDeviceRequest,
    @Inject() caller: Caller,
  ): Promise<DeviceResponse> {
    const name = readDeviceName(body.device);
    const device = await this.devices.connect(caller.userId, readId(id, 'sensor'), name);
    this.setStatus(201);
    this.setHeader('Location', `/devices/${device.id}`);
    return { device: toDeviceView(device) };
  }

  /**
   * Returns the device of one of your sensors, or of one that is shared with you.
   * @summary Get the device of a sensor
   */
  @Get('{id}/device')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The device')
  @Response<ErrorBody>(404, 'The sensor does not exist or you cannot see it, or it is on no device')
  async getSensorDevice(@Path() id: string, @Inject() caller: Caller): Promise<DeviceResponse> {
    return { device: toDeviceView(await this.devices.findForSensor(caller.userId, readId(id, 'sensor'))) };
  }

  /**
   * Detaches one of your sensors from its device and makes it plain (type 0). The device stays, even without
   * sensors.
   * @summary Detach a sensor from its device
   */
  @Delete('{id}/device')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The sensor is on no device')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor does not exist or you cannot see it, or it is on no device')
  async detachDevice(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.devices.disconnect(caller.userId, readId(id, 'sensor'));
    return {};
  }

  /**
   * Detaches the sensor from the named device. Nothing happens if the sensor is on another device.
   * @summary Detach a sensor from this device
   */
  @Delete('{id}/device/{device_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The sensor is on no device')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor does not exist or you cannot see it, or it is not on this device')
  async detachNamedDevice(
    @Path() id: string,
    @Path() device_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    await this.devices.disconnect(caller.userId, readId(id, 'sensor'), readId(device_id, 'device'));
    return {};
  }
}
