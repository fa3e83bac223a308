import { INTERVALS } from '../../edge/intervals';
import { EVENT_NAMES } from '../../events/event-catalogue';
import { CATALOGUE } from '../../points';
import type { Schema } from './document';

const MetatagValue: Schema = { type: ['string', 'number', 'boolean'] };

/** Precise schemas of types that the code declares more widely: with a separate reader, or with values in a table. */
export const FREE_SCHEMAS: Record<string, Schema> = {
  PasskeyDocument: {
    description: 'The JSON of WebAuthn, as `PublicKeyCredential` of browsers reads and writes it.',
    type: 'object',
    additionalProperties: {},
  },
  EmptyResponse: { description: 'The response `{}`: done, with nothing to report.', type: 'object', maxProperties: 0 },
  MetatagsInput: {
    description: 'For each name a list of values.',
    type: 'object',
    additionalProperties: { type: 'array', items: MetatagValue },
  },
  StatementValue: {
    description: 'A string, a number or a boolean; for `in` a list of them, or a string with commas.',
    anyOf: [MetatagValue, { type: 'array', items: MetatagValue }],
  },
  DataStructure: {
    description: 'JSON text, or the object that it holds: for the name of each field its type.',
    anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: {} }],
  },
  ServiceName: {
    description: 'The name of a service.',
    type: 'string',
    enum: CATALOGUE.map(({ name }) => name),
  },
  NameOfEvent: { description: 'The name of an event.', type: 'string', enum: [...EVENT_NAMES] },
  DateInput: {
    description: 'Unix seconds with up to 3 decimals, or ISO 8601 with `Z` or an offset.',
    anyOf: [
      { type: 'number', format: 'double' },
      { type: 'string', format: 'date-time' },
    ],
    examples: [1_795_229_544.125, '2026-11-21T02:52:24.125Z'],
  },
  IntervalSeconds: {
    description: 'The length of an interval in seconds.',
    type: 'integer',
    format: 'int32',
    enum: [...INTERVALS],
  },
};
