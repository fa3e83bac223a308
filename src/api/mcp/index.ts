import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Express, Request, Response } from 'express';
import type { Container } from '../../container';
import { readerZone } from '../../language/reader-time';
import type { Caller } from '../../platform/caller';
import { InvalidInput, PlatformError } from '../../platform/errors';
import { hold } from '../../platform/scopes';
import { releaseVersion } from '../../platform/version';
import type { Authentication } from '../authentication';
import { countedCaller } from '../counted-caller';
import { onceClosed } from '../middlewares/closed-response';
import { describeError } from '../middlewares/error-handler';
import { refuseOtherMethods } from '../middlewares/method-not-allowed';
import { installResourceMetadata, withResource } from '../oauth2/metadata';
import type { RequestAdmission } from '../request-admission';
import type { OperationRunner } from '../run-operation';
import { answerText } from './answer-text';
import { READING_TOOLS } from './reading-tools';
import { RULE_TOOLS } from './rule-tools';
import type { CallOperation, Tool } from './tool';

export const TOOLS: readonly Tool[] = [...READING_TOOLS, ...RULE_TOOLS];

const PATH = '/mcp';
const PRODUCT = { name: 'sensor-data-platform', title: 'Sensor data platform', version: releaseVersion() };
const INSTRUCTIONS =
  'A sensor data platform. Find sensors and alerts, read data, and explain alerts. Try changes of rules by backtests, plans and shadows: no tool applies them, the user does.';
/** Headers of an error are not those of the answer that has it. */
const NO_HEADERS = { getHeader: () => undefined, setHeader: () => undefined };

/** Loaded at its first use, which most processes never see. */
const library = async () => ({
  ...(await import('@modelcontextprotocol/sdk/server/mcp.js')),
  ...(await import('@modelcontextprotocol/sdk/server/streamableHttp.js')),
});

type McpServer = InstanceType<Awaited<ReturnType<typeof library>>['McpServer']>;

interface McpParts {
  container: Container;
  authentication: Authentication;
  admission: RequestAdmission;
  runner: OperationRunner;
}

/**
 * Model Context Protocol over streamable HTTP (https://modelcontextprotocol.io), without sessions: each message has its
 * credential, and one answer in JSON. A tool calls operations of the API, with the rights and limits of the caller.
 */
export function installMcp(app: Express, parts: McpParts): void {
  const { requestQuota, config } = parts.container;
  installResourceMetadata(app, PATH, config.publicUrl);
  app.post(PATH, async (request, response) => {
    const guard = { authentication: parts.authentication, requestQuota };
    const caller = await countedCaller(request, response, guard, true).catch((error: unknown) => {
      const isUnknown = error instanceof PlatformError && error.status === 401;
      throw isUnknown ? withResource(error, request, PATH, config.publicUrl) : error;
    });
    if (Array.isArray(request.body)) throw new InvalidInput('send one message at a time, not a list of them');
    const { McpServer, StreamableHTTPServerTransport } = await library();
    const server = new McpServer(PRODUCT, { instructions: INSTRUCTIONS });
    addTools(server, caller, request, response, parts);
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
    onceClosed(response, () => void server.close());
    await server.connect(transport);
    const answer = () => transport.handleRequest(request, response, request.body);
    const account = parts.admission.openAccount(caller, 'read', response);
    await parts.admission.run(caller, 'read', response, answer, account);
  });
  app.all(PATH, (request, response) => refuseOtherMethods('POST')(request, response));
}

/** Adds the tools that the scopes of the caller allow. */
function addTools(server: McpServer, caller: Caller, request: Request, response: Response, parts: McpParts): void {
  const { credential } = caller;
  const call: CallOperation = (name, given = {}) => parts.runner.call(name, given, caller, request);
  for (const tool of TOOLS) {
    if (credential.kind !== 'session' && !hold(credential.scopes, tool.scope)) continue;
    const { name, title, description, input: inputSchema } = tool;
    const annotations = { readOnlyHint: tool.scope === 'read', openWorldHint: false };
    server.registerTool(name, { title, description, inputSchema, annotations }, (input) =>
      runTool(tool, input, call, { parts, requestId: response.locals.requestId }),
    );
  }
}

async function runTool(
  tool: Tool,
  input: Record<string, unknown>,
  call: CallOperation,
  { parts, requestId }: { parts: McpParts; requestId: string },
): Promise<CallToolResult> {
  try {
    const timezone = await timezoneOf(call);
    return textResult(answerText(await tool.run(input, { call, timezone }), timezone));
  } catch (error) {
    const { body } = await describeError(error, NO_HEADERS, requestId, parts.container);
    return { ...textResult(JSON.stringify(body)), isError: true };
  }
}

/** UTC for a credential that may not see the account. */
async function timezoneOf(call: CallOperation): Promise<string> {
  try {
    const { user } = await call('getCurrentUser');
    return readerZone(Object(user).timezone);
  } catch (error) {
    if (error instanceof PlatformError && error.status === 403) return readerZone(null);
    throw error;
  }
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}
