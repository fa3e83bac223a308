import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';

/** What a configuration or a program of a device makes it send. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What a Shelly whose script runs for a minute sends: a device of the name, with these measurements. */
export function runShelly(code: string, id: string, measured: object): SentRequest {
  const sent: SentRequest[] = [];
  const Shelly = {
    getComponentStatus: () => measured,
    getDeviceInfo: () => ({ id }),
    call: (_method: string, request: SentRequest) => sent.push(request),
  };
  const Timer = { set: (_ms: number, _repeats: boolean, callback: () => void) => callback() };
  runInNewContext(code, { Shelly, Timer });
  const [request] = sent;
  if (!request) throw new Error('the script sent nothing');
  return request;
}

/** What an http request node of Node-RED sends behind a function node with this code. */
export function runNodeRed(code: string, payload: unknown): Pick<SentRequest, 'headers' | 'body'> {
  const message = runInNewContext(`(function (msg) { ${code} })`)({ payload });
  const headers = { 'Content-Type': 'application/json', ...message.headers };
  return { headers, body: JSON.stringify(message.payload) };
}

/** `ON … DO WebQuery url method [header: value|header: value] body ENDON`, as Tasmota reads it. */
export function readWebQuery(rule: string): SentRequest {
  const [, url = '', method = '', headers = '', body = ''] =
    /DO WebQuery (\S+) (\S+) \[([^\]]*)\] (.*) ENDON/.exec(rule) ?? [];
  const named = headers.split('|').map((header) => {
    const at = header.indexOf(':');
    return [header.slice(0, at), header.slice(at + 1).trim()];
  });
  return { url, method, headers: Object.fromEntries(named), body };
}

/** The action of an automation of ESPHome, for a value. */
export function readEspHome(yaml: string, value: number): SentRequest {
  const { url, request_headers: headers, json } = parse(yaml).sensor[0].on_value[0]['http_request.post'];
  const root: Record<string, number> = {};
  runInNewContext(json, { root, x: value });
  return { method: 'POST', url, headers, body: JSON.stringify(root) };
}

/** A rest_command of Home Assistant, in which each template is this state. */
export function readRestCommand(yaml: string, state: string): SentRequest {
  const [command] = Object.values<Record<string, never>>(parse(yaml).rest_command);
  const { url = '', method = '', headers = {}, content_type: type = '', payload = '' } = command ?? {};
  return {
    ...{ url, method: String(method).toUpperCase() },
    headers: { ...(headers as object), 'Content-Type': type },
    body: String(payload).replace(/\{\{.*?\}\}/g, state),
  };
}
