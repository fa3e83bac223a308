import { z } from 'zod';
import type { Scope } from '../../platform/scopes';

/** Calls an operation of the API by its name, and returns its answer in JSON. Throws the client's error. */
export type CallOperation = (name: string, given?: GivenArguments) => Promise<Record<string, unknown>>;

/** The platform as a tool sees it: for one caller. */
export interface Access {
  call: CallOperation;
  /** In which the user reads times. */
  timezone: string;
}

export interface GivenArguments {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** Has the list under `list`, of which the end may be left out so that the answer is small enough. */
export interface ToolAnswer {
  [name: string]: unknown;
}

interface Definition<Shape extends z.ZodRawShape> {
  name: string;
  title: string;
  /** For a program that chooses among tools. */
  description: string;
  /** Which a credential must have to see the tool. */
  scope: Scope;
  input: Shape;
  run(input: z.infer<z.ZodObject<Shape>>, access: Access): Promise<ToolAnswer>;
}

export type Tool = Definition<z.ZodRawShape>;

/** Checks the input of `run` against its schema. */
export function tool<Shape extends z.ZodRawShape>(definition: Definition<Shape>): Tool {
  const schema = z.object(definition.input);
  return { ...definition, run: (input, access) => definition.run(schema.parse(input), access) };
}

/** A page of a list, and the number of the next one if this one is full. */
export function pageOf(list: unknown, at: number, size: number): ToolAnswer {
  return { list, next_page: Array.isArray(list) && list.length === size ? at + 1 : undefined };
}

export const id = z.string().regex(/^\d+$/).describe('An id, as other tools return it');
export const page = z.number().int().min(0).optional().describe('The page, from 0');
export const start = z.string().optional().describe('The beginning: ISO 8601 with Z or an offset, or unix seconds');
export const end = z.string().optional().describe('The end, in the same form');
export const days = z.number().int().min(1).max(31);

/** The fields of a rule that a program may propose. */
export const RULE = {
  expression: z.string().optional().describe('When it fires, for instance: sensor_data_value > 30'),
  inactivity: z.number().int().optional().describe('Seconds without data after which it fires'),
  hold: z.number().int().optional().describe('Seconds for which the condition has to hold'),
  keep_firing_for: z.number().int().optional().describe('Seconds for which an alert goes on after the condition'),
  resolve_expression: z.string().optional().describe('When an alert ends; without it, when the condition is false'),
  repeat: z.number().int().optional().describe('Seconds after which an alert that lasts is sent again; 0 for never'),
} as const;
