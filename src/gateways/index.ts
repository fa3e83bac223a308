export { buildGateways } from './build-gateways';
export { invariants } from './invariants';
export { deleteMqttSources } from './mqtt-sources/mqtt-sources.service';
export { workOwners } from './work-owners';
