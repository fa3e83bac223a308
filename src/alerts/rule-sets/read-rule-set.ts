import { bytesOf, decodeBody } from '../../edge/body-bytes';
import type { ReadModel } from '../../edge/read-model';
import { InvalidInput, PlatformError } from '../../platform/errors';
import { finishSteps } from '../../storage/cancellation';
import type { RuleSetDocument } from './rule-sets.request';
import { readYaml, type YamlDocument } from './yaml-document';

/** A rule set as it is written, and the places of its parts. */
export interface RuleSet extends RuleSetDocument {
  text: YamlDocument;
}

/** Names of the list of each kind in a document. */
export const LISTS = { notification: 'notifications', trigger: 'triggers', mute: 'mutes' } as const;

export type Kind = keyof typeof LISTS;

export const KINDS: readonly Kind[] = ['notification', 'trigger', 'mute'];

/** Paths of `/rules/{set}` that mean something else. */
const RESERVED = ['export', 'test', 'plan', 'apply'];
const MAX_MISTAKES = 20;

/** Throws InvalidInput with the places of all mistakes. */
export async function readRuleSet(body: object, readModel: ReadModel): Promise<RuleSet> {
  const text = await finishSteps(readYaml(decodeBody(bytesOf(body))));
  const { value, errors } = readModel('RuleSetDocument', text.value);
  refuse(text, errors);
  const document = value as RuleSetDocument; // without errors the model is complete
  refuse(text, { ...repeatedNames(document), ...unknownTriggers(document) });
  if (RESERVED.includes(document.set.toLowerCase()))
    throw text.mistake('set', 'is a word of the API: choose another name');
  return { ...document, text };
}

/** Gives errors about a thing the path and the place of its entry. `field` begins paths of these errors. */
export async function inEntry<T>(
  { text }: RuleSet,
  { path, field }: { path: string; field: Kind },
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PlatformError) || error.status >= 500) throw error;
    if (Object.keys(error.fields ?? {}).some((name) => name.startsWith(path))) throw error;
    if (!error.fields) {
      const { line, column } = text.placeOf(path);
      const message = `line ${line}, column ${column}: ${path}: ${error.message}`;
      throw new PlatformError(error.status, error.code, message, { [path]: error.message }, error.retryAfterSeconds);
    }
    const reasons = Object.entries(error.fields).map(([name, why]) => {
      const inside = name.startsWith(`${field}.`) ? name.slice(field.length) : '';
      return [`${path}${inside}`, why] as const;
    });
    const [[at, why] = [path, error.message]] = reasons;
    const { message } = text.mistake(at, why);
    throw new PlatformError(error.status, error.code, message, Object.fromEntries(reasons), error.retryAfterSeconds);
  }
}

function refuse(text: YamlDocument, errors: Readonly<Record<string, string>>): void {
  const mistakes = Object.entries(errors)
    .slice(0, MAX_MISTAKES)
    .map(([path, why]) => text.mistake(path === 'body' ? '' : path, why));
  if (mistakes.length === 0) return;
  const fields = Object.assign({}, ...mistakes.map((mistake) => mistake.fields));
  throw new InvalidInput(mistakes.map(({ message }) => message).join('; '), fields);
}

function repeatedNames(document: RuleSetDocument): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const list of [...Object.values(LISTS), 'tests'] as const) {
    const seen = new Set<string>();
    document[list]?.forEach(({ name }, index) => {
      if (seen.has(name)) errors[`${list}[${index}].name`] = 'is the name of an entry above';
      seen.add(name);
    });
  }
  return errors;
}

function unknownTriggers({ triggers = [], tests = [] }: RuleSetDocument): Record<string, string> {
  const names = new Set(triggers.map(({ name }) => name));
  const wrong = tests.flatMap(({ trigger }, index) => (names.has(trigger) ? [] : [`tests[${index}].trigger`]));
  return Object.fromEntries(wrong.map((path) => [path, 'names no trigger of this set']));
}
