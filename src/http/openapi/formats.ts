import type { MediaType, OpenApiDocument } from './document';
import { operationsOf } from './document';

const CURSOR = '5f0c9a1e-17-203-1';
const OPENED = `event: open\nid: 5f0c9a1e-17-0-0\ndata: {}\n\n`;
const POINT = '{"sensor_id":"42","id":"1795229544126","date":1795229544.125,"value":"21.5"}';
const FIRING =
  '{"id":"207","sensor_id":"42","trigger_id":"5","reason":"expression","date":1795229544.8,"variables":{"sensor_data_value":31}}';

const LAST_EVENT_ID = {
  description: 'The cursor behind which to go on: the `id` of an event. Browsers send it by themselves.',
  example: CURSOR,
};

/** What operations answer in formats other than JSON, which their controllers cannot say. */
export function describeFormats(document: OpenApiDocument): void {
  for (const { operation } of operationsOf(document)) {
    const success = operation.responses['200'];
    if (!success || !('description' in success) || !operation.operationId.startsWith('stream')) continue;
    const event =
      operation.operationId === 'streamFirings'
        ? `firing\nid: ${CURSOR}\ndata: ${FIRING}`
        : `data\nid: ${CURSOR}\ndata: ${POINT}`;
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in === 'header') Object.assign(parameter, LAST_EVENT_ID);
    }
    success.content = { 'text/event-stream': streamOf(`${OPENED}event: ${event}\n\n`) };
  }
}

function streamOf(value: string): MediaType {
  return {
    schema: { type: 'string', description: 'Server-sent events (HTML standard).' },
    examples: { events: { summary: 'The beginning of a stream', value } },
  };
}
