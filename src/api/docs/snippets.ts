import { compactJson } from './compact-json';
import type { ExampleRequest } from './example-request';

export const LANGUAGES = { curl: 'curl', python: 'Python', javascript: 'JavaScript' } as const;
export type SnippetLanguage = keyof typeof LANGUAGES;

export const PLACEHOLDERS = { key: 'YOUR_KEY', session: 'YOUR_SESSION' } as const;

/** `address` is the platform's root, without a slash at the end. */
export function snippetsOf(request: ExampleRequest, address: string): Record<SnippetLanguage, string> {
  const url = address + request.path + queryOf(request);
  const headers = headersOf(request);
  return {
    curl: toCurl(request, url, headers),
    python: toPython(request, url, headers),
    javascript: toJavaScript(request, url, headers),
  };
}

function queryOf({ query }: ExampleRequest): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) pairs.append(Array.isArray(value) ? `${name}[]` : name, String(one));
  }
  // No escape needed in a query, and easier to read.
  const text = pairs.toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

type Headers = readonly (readonly [name: string, value: string])[];

function headersOf({ credential, body, headers: own = [] }: ExampleRequest): Headers {
  const headers: [string, string][] = own.map(([name, value]) => [name, value]);
  if (credential === 'key') headers.push(['Authorization', `Bearer ${PLACEHOLDERS.key}`]);
  if (credential === 'session') headers.push(['X-SESSION_ID', PLACEHOLDERS.session]);
  const hasType = own.some(([name]) => name === 'Content-Type');
  if (body !== undefined && !hasType) headers.push(['Content-Type', 'application/json']);
  return headers;
}

function toCurl(request: ExampleRequest, url: string, headers: Headers): string {
  const { method, body, file, isStream } = request;
  const sent = body === undefined ? request.text : compactJson(body);
  const isPlain = method === 'GET' || (method === 'POST' && (sent ?? file) !== undefined);
  const options = [isStream ? '-N' : '', isPlain ? '' : `-X ${method}`].filter(Boolean);
  const parts = [
    ['curl', ...options, inShell(url)].join(' '),
    ...headers.map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(sent === undefined ? [] : [`-d ${inShell(sent)}`]),
    ...(file === undefined ? [] : [`--data-binary @${file}`]),
  ];
  return parts.join(' \\\n  ');
}

function toPython(request: ExampleRequest, url: string, headers: Headers): string {
  const { method, body, text, file, isStream, answersText } = request;
  const known = headers.filter(([name]) => body === undefined || name !== 'Content-Type');
  const fields = known.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ');
  const lines = [
    JSON.stringify(url),
    ...(known.length > 0 ? [`headers={${fields}}`] : []),
    ...(body === undefined ? [] : [`json=${indented(pythonValue(body))}`]),
    ...(text === undefined ? [] : [`data=${JSON.stringify(text)}.encode()`]),
    ...(file === undefined ? [] : [`data=open("${file}", "rb")`]),
    ...(isStream ? ['stream=True'] : []),
  ];
  const plain = answersText ? 'print(response.status_code, response.text)' : 'print(response.json())';
  const show = isStream ? 'for line in response.iter_lines(decode_unicode=True):\n    print(line)' : plain;
  return `import requests

response = requests.${method.toLowerCase()}(
${lines.map((line) => `    ${line},\n`).join('')})
response.raise_for_status()
${show}`;
}

function toJavaScript(request: ExampleRequest, url: string, headers: Headers): string {
  const { method, body, text, file, isStream, answersText } = request;
  const fields = headers.map(([name, value]) => `${/^\w+$/.test(name) ? name : `'${name}'`}: '${value}'`).join(', ');
  const lines = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: { ${fields} }`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${compactJson(body).replaceAll('\n', '\n  ')})`]),
    ...(text === undefined ? [] : [`body: ${JSON.stringify(text)}`]),
    ...(file === undefined ? [] : [`body: await readFile('${file}')`]),
  ];
  const options = lines.length > 0 ? `, {\n${lines.map((line) => `  ${line},\n`).join('')}}` : '';
  const show = isStream
    ? `for await (const text of response.body.pipeThrough(new TextDecoderStream())) {\n  console.log(text);\n}`
    : `console.log(${answersText ? 'response.status, await response.text()' : 'await response.json()'});`;
  const read = file === undefined ? '' : `import { readFile } from 'node:fs/promises';\n\n`;
  return `${read}const response = await fetch('${url}'${options});
if (!response.ok) throw new Error(await response.text());
${show}`;
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function pythonValue(value: unknown): string {
  return compactJson(value).replace(/"(?:[^"\\]|\\.)*"|\btrue\b|\bfalse\b|\bnull\b/g, (word) => PYTHON[word] ?? word);
}

const PYTHON: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ');
}
