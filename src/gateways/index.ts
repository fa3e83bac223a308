export { buildGateways } from './build-gateways';
export { deleteMqttSources } from './mqtt-sources/mqtt-sources.service';
