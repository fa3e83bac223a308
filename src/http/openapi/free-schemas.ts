import { EVENT_NAMES } from '../../domain/event-catalogue';
import { INTERVALS } from '../../domain/intervals';
import type { Schema } from './document';

const MetatagValue: Schema = { type: ['string', 'number', 'boolean'] };

/**
 * The types that requests declare as `unknown` or wider than they are, because their own readers read them (the general one would turn
 * a number into a string, for instance): what these readers take.
 */
export const FREE_SCHEMAS: Record<string, Schema> = {
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
  NameOfEvent: { description: 'The name of an event.', type: 'string', enum: [...EVENT_NAMES] },
  IntervalSeconds: {
    description: 'The length of an interval in seconds.',
    type: 'integer',
    format: 'int32',
    enum: [...INTERVALS],
  },
};
