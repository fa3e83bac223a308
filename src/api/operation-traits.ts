import type { protocolRouteOf } from './protocol-routes';
import type { Kind } from './request-admission';
import { AUDIT, DELIVERIES, FIRINGS, NOISE, REPORTS, SENSORS, type Table } from './tables';

/** How a body is read. */
export interface BodyTraits {
  /** CSV and a JSON object per line as well. */
  hasLines?: boolean;
  /** The caller chooses the keys of the body. */
  hasFreeKeys?: boolean;
  /** Numbers keep all their digits. */
  hasDigits?: boolean;
  /** The parser reads bytes. */
  isInBytes?: boolean;
  /** The operation reads it as it arrives: a file. */
  isFile?: boolean;
}

/** What the request pipeline must know about an operation that differs from others. */
export interface OperationTraits {
  /** How requests are admitted; by default `read` for GET, otherwise `change`. */
  kind?: Kind;
  /** May hold much memory: a request that has ended several processes is refused. */
  isHeavy?: boolean;
  /** Some clients only send GET: this one changes something nevertheless. */
  isChange?: boolean;
  /** Restricts itself to the sensors of a key, because the path has no sensor id. */
  keepsToSensors?: boolean;
  body?: BodyTraits;
  /** Reads points: as lines too, and never with `value`, by which a device means to store. */
  readsPoints?: boolean;
  table?: Table;
  /** The method of the controller that answers with lines as they become known. */
  lines?: string;
  /** Answers with events until the client leaves. */
  isStream?: boolean;
}

const POINTS: BodyTraits = { hasLines: true, hasFreeKeys: true, hasDigits: true };
const METATAGS: OperationTraits = { body: { hasFreeKeys: true } };
const PASSKEY: OperationTraits = { body: { hasFreeKeys: true } };
const NOTIFICATION: OperationTraits = { body: { hasFreeKeys: true, hasDigits: true } };
/** With a filter or a rule that is too long for a query. */
const LONG_READ: OperationTraits = { kind: 'read', isHeavy: true };

/** With a rule set, which its own reader reads. */
const DOCUMENT: OperationTraits = { ...LONG_READ, body: { isInBytes: true } };

/** All that an account may do that lacks a required second factor. */
export const SETS_UP_FACTOR: ReadonlySet<string> = new Set([
  ...['getSecondFactors', 'beginTotp', 'confirmTotp', 'beginPasskey', 'addPasskey', 'makeRecoveryCodes'],
  ...['getCurrentUser', 'listSessions', 'endSession', 'endOtherSessions', 'logout', 'logoutByGet'],
  'listIdentities',
]);

/** Traits by the name of the operation. The only place outside of controllers that knows operations. */
export const OPERATION_TRAITS: Readonly<Record<string, OperationTraits>> = {
  uploadData: { kind: 'upload', body: POINTS },
  uploadSensorsData: { kind: 'upload', keepsToSensors: true, body: POINTS },
  addData: { kind: 'upload' },
  deleteDataRange: { kind: 'long-change', isHeavy: true },
  readData: { isHeavy: true, readsPoints: true },
  readSensorsData: { isHeavy: true, readsPoints: true, keepsToSensors: true },
  streamData: { isStream: true },
  streamSensorsData: { isStream: true, keepsToSensors: true },
  streamFirings: { isStream: true },
  readTile: { isHeavy: true },
  readPublicTile: { isHeavy: true },
  listSensors: { keepsToSensors: true, table: SENSORS },
  listAllFirings: { table: FIRINGS },
  listAudit: { table: AUDIT },
  listDeliveries: { table: DELIVERIES },
  reportAlerts: { isHeavy: true, table: NOISE },
  suggestChanges: { isHeavy: true },
  getShadow: { isHeavy: true },
  reportSensors: { isHeavy: true, keepsToSensors: true, table: REPORTS },
  findSensors: { ...LONG_READ, keepsToSensors: true },
  findGroupSensors: LONG_READ,
  changeSensors: { isHeavy: true },
  changeFirings: { isHeavy: true },
  backtestRule: LONG_READ,
  backtestTrigger: LONG_READ,
  exportRules: { isHeavy: true },
  getRuleSet: { isHeavy: true },
  testRules: DOCUMENT,
  planRules: { ...DOCUMENT, lines: 'planLines' },
  applyRules: { isHeavy: true, body: { isInBytes: true } },
  createImport: { kind: 'long-change', body: { isFile: true } },
  addPasskey: PASSKEY,
  loginByPasskey: PASSKEY,
  addMetatags: METATAGS,
  replaceMetatags: METATAGS,
  createNotification: NOTIFICATION,
  updateNotification: NOTIFICATION,
  previewNotification: NOTIFICATION,
  testNotification: { kind: 'awaited-change' },
  logoutByGet: { isChange: true },
  ...Object.fromEntries(
    ['write1', 'write2', 'query', 'postQuery', 'writeSamples'].map((name) => [name, { keepsToSensors: true }]),
  ),
};

/** Agents and devices choose the keys of their messages. */
export function agentBody(route: ReturnType<typeof protocolRouteOf>): BodyTraits | undefined {
  if (!route?.isUpload) return undefined;
  return route.isInBytes ? { isInBytes: true } : { hasFreeKeys: true, hasDigits: true };
}
