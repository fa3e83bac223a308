import type { MediaType, OpenApiDocument, Operation } from './document';
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

const RECORD =
  '{"id":"1795229544126","sensor_id":"42","value":"21.5","date":1795229544.125,"week":47,"month":11,"year":2026}\n';
/** Besides JSON: for one sensor, and for several. */
const LINES: Record<string, { csv: string; ndjson: string }> = {
  readData: { csv: 'date,value\r\n1795229544.125,21.5\r\n', ndjson: RECORD },
  readSensorsData: { csv: 'sensor_id,date,value\r\n42,1795229544.125,21.5\r\n', ndjson: RECORD },
  uploadData: {
    csv: 'date,value\n2026-11-21T10:00:00Z,21.5\n1795229544.125,22\n',
    ndjson: '{"date":1795229544.125,"value":21.5}\n{"value":{"lux":3}}\n',
  },
  uploadSensorsData: {
    csv: 'sensor_id,date,value\n42,2026-11-21T10:00:00Z,21.5\n',
    ndjson: '{"sensor_id":"42","date":1795229544.125,"value":21.5}\n',
  },
};

const LISTS: Record<string, string> = {
  listSensors: 'id,name,display_name,unit,…\r\n42,greenhouse,"Greenhouse, south wall",°C,…\r\n',
  listAllFirings: 'date,state,severity,sensor_id,…\r\n1795229544.8,resolved,warning,42,…\r\n',
  listDeliveries: 'created,status,type,destination,…\r\n1795229544.9,delivered,url,https://example.org/alerts,…\r\n',
  reportAlerts: 'id,name,episodes,firings,deliveries,…\r\n5,too warm,38,41,82,…\r\n',
  reportSensors: 'sensor_id,sensor_name,start,end,…\r\n42,greenhouse,1795219200,1795305600,…\r\n',
};

const RULES = `set: cold-store
triggers:
  - name: too warm
    expression: sensor_data_value > -15
    hold: 300
    sensors: [freezer 1]
`;

const PLAN_LINES = `{"changes":[{"kind":"trigger","name":"too warm","action":"update",…}],"tests":[]}
{"progress":0.4}
{"effect":{"trigger":"too warm","episodes":[14,3],"deliveries":[14,3],"at_night":[6,1],…}}
{"digest":"5f0c9a1e…","episodes":[14,3],"deliveries":[14,3],"at_night":[6,1]}
`;

/** Controllers cannot declare other formats than JSON. */
export function describeFormats(document: OpenApiDocument): void {
  for (const { operation } of operationsOf(document)) {
    if (operation.operationId.startsWith('stream')) describeStream(operation);
    const lines = LINES[operation.operationId];
    if (lines) describeLines(operation, lines);
    describeList(operation);
    describeRules(operation);
    describePicture(operation);
    describeFile(operation);
  }
}

function describeStream(operation: Operation): void {
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in === 'header') Object.assign(parameter, LAST_EVENT_ID);
  }
  const [name, data] = operation.operationId === 'streamFirings' ? ['firing', FIRING] : ['data', POINT];
  const value = `${OPENED}event: ${name}\nid: ${CURSOR}\ndata: ${data}\n\n`;
  addContent(operation.responses['200'], 'text/event-stream', 'Server-sent events (HTML standard).', value);
}

const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];

/** A picture may have each of these types. */
function describePicture({ responses }: Operation): void {
  const described = responses['200'] as { content?: Record<string, MediaType> } | undefined; // not a reference
  if (!described?.content?.['image/png']) return;
  described.content = Object.fromEntries(
    PICTURES.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
  );
}

/** An import takes a file as its body. */
function describeFile({ operationId, requestBody }: Operation): void {
  if (operationId !== 'createImport' || !requestBody) return;
  const type = 'application/zip';
  Object.assign(requestBody, { content: { [type]: { schema: { type: 'string', contentMediaType: type } } } });
}

/** Documents are YAML; JSON is a part of it. */
function describeRules({ operationId, requestBody, responses }: Operation): void {
  const description = 'A rule set: YAML 1.2, or JSON.';
  if (['testRules', 'planRules', 'applyRules'].includes(operationId)) {
    addContent(requestBody, 'application/yaml', description, RULES);
    if (operationId === 'planRules')
      addContent(responses['200'], 'application/x-ndjson', 'A JSON object on each line.', PLAN_LINES);
  } else if (['exportRules', 'getRuleSet'].includes(operationId)) {
    addContent(responses['200'], 'application/yaml', description, RULES);
  }
}

function describeLines({ responses, requestBody }: Operation, { csv, ndjson }: { csv: string; ndjson: string }): void {
  const target = requestBody ?? responses['200'];
  addContent(
    target,
    'text/csv',
    'Lines with a header (RFC 4180); fields of JSON values are columns `value.<field>`. Uploads may also have semicolons or tabs, as in the header, and other labels for this; with semicolons `21,5` is a number.',
    csv,
  );
  addContent(target, 'application/x-ndjson', 'A JSON object on each line.', ndjson);
}

function describeList({ operationId, responses }: Operation): void {
  const csv = LISTS[operationId];
  if (csv === undefined) return;
  const description = 'The whole list as lines with a header (RFC 4180), unless a page is requested.';
  addContent(responses['200'], 'text/csv', description, csv);
}

function addContent(target: object | undefined, type: string, description: string, value: string): void {
  const described = target as { content?: Record<string, MediaType> } | undefined; // not a reference
  if (!described) return;
  const media: MediaType = { schema: { type: 'string', description }, examples: { lines: { value } } };
  described.content = { ...described.content, [type]: media };
}
