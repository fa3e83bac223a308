import type { OpenApiDocument } from './document';
import { namesReachedFrom } from './schemas';

const ROOT = 'RuleSetDocument';

/** The JSON Schema of rules as text, for editors: made of the schemas of requests. */
export function ruleSetSchema(document: OpenApiDocument): object {
  const { schemas } = document.components;
  const names = [...namesReachedFrom([schemas[ROOT]], document)].sort();
  const $defs = Object.fromEntries(names.map((name) => [name, schemas[name]]));
  const text = JSON.stringify({ ...schemas[ROOT], $defs }).replaceAll('"#/components/schemas/', '"#/$defs/');
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'A rule set', ...JSON.parse(text) };
}
