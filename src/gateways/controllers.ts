import type { ControllerFactory } from '../edge/controller-factory';
import type { Clock } from '../platform/clock';
import type { buildGateways } from './build-gateways';
import { InfluxController } from './http/influx.controller';
import { LoRaWanController } from './http/lorawan.controller';
import { RemoteWriteController } from './http/remote-write.controller';
import { WeatherController } from './http/weather.controller';
import { MqttSourcesController } from './mqtt-sources/mqtt-sources.controller';
import { SeriesController } from './series/series.controller';

type Services = ReturnType<typeof buildGateways>['services'] & { clock: Clock };

export function gatewaysControllers(services: Services): ControllerFactory[] {
  return [
    [MqttSourcesController, () => new MqttSourcesController(services.mqttSources, services.clock)],
    [SeriesController, () => new SeriesController(services.series)],
    [InfluxController, () => new InfluxController(services.influx)],
    [LoRaWanController, () => new LoRaWanController(services.messages)],
    [RemoteWriteController, () => new RemoteWriteController(services.remoteWrite)],
    [WeatherController, () => new WeatherController(services.messages)],
  ];
}
