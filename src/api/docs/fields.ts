import { type Html, html } from '../../platform/html';
import { nameIn, type OpenApiDocument, type Parameter, resolve, type Schema } from '../openapi/document';
import { renderText } from './markdown';

interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description?: string;
  example?: unknown;
  /** The field's own fields follow. */
  hasFields?: boolean;
}

const MAX_DEPTH = 4;
const MAX_VALUES = 24;

export function parametersOf(parameters: readonly Parameter[], document: OpenApiDocument): Html {
  const fields = parameters.map(({ name, schema, required = false, description, example }) => ({
    ...{ name, schema, isRequired: required, example },
    ...(description === undefined ? {} : { description }),
  }));
  return listOf(fields, document);
}

/** All fields of a body, nested ones by path: `sensor.name`, `data[].value`. */
export function fieldsOf(schema: Schema, document: OpenApiDocument): Html {
  const { oneOf, anyOf, description = '' } = resolve(schema, document);
  const forms = (oneOf ?? anyOf ?? []).filter((form) => isObject(form, document));
  if (forms.length < 2) return listOf(fieldsIn(schema, document), document);
  return html`${forms.map((form, index) => {
    const { title = '', description: own = '' } = resolve(form, document);
    const name = title || (own === description ? '' : own);
    return html`<h4>${index === 0 ? 'Either' : 'Or'}${name && `: ${lowered(name)}`}</h4>${listOf(fieldsIn(form, document), document)}`;
  })}`;
}

function listOf(fields: readonly Field[], document: OpenApiDocument): Html {
  return html`<ul class="fields">${fields.map((field) => rowOf(field, document))}</ul>`;
}

function rowOf(field: Field, document: OpenApiDocument): Html {
  const { name, schema, isRequired, description } = field;
  const resolved = resolve(schema, document);
  const text = description ?? schema.description ?? resolved.description;
  const shown = field.hasFields ? undefined : (field.example ?? exampleIn(schema) ?? exampleIn(resolved));
  const limits = [...new Set([...limitsOf(resolved), ...limitsOf(schema)])];
  return html`<li><code class="name">${name}</code> <span class="type">${typeOf(schema, document)}</span>${
    isRequired && html` <span class="required">required</span>`
  }${schema.deprecated && html` <span class="required">deprecated</span>`}${text && renderText(text)}${
    (limits.length > 0 || shown !== undefined) &&
    html`<p class="small quiet">${limits.map((limit) => html`${limit}. `)}${
      shown !== undefined && html`Example: <code>${typeof shown === 'string' ? shown : JSON.stringify(shown)}</code>`
    }</p>`
  }</li>
`;
}

function exampleIn({ example, examples }: Schema): unknown {
  return example ?? examples?.[0];
}

/** A field is followed by its own fields. */
function fieldsIn(schema: Schema, document: OpenApiDocument, path = '', above: readonly string[] = []): Field[] {
  const { properties, required = [], items, allOf } = resolve(schema, document);
  const names = schema.$ref === undefined ? above : [...above, nameIn(schema.$ref)];
  if (items) return fieldsIn(items, document, path ? `${path}[]` : '[]', names);
  if (allOf) return allOf.flatMap((part) => fieldsIn(part, document, path, names));
  const isRequired = ([key]: [string, Schema]) => required.includes(key);
  const entries = Object.entries(properties ?? {});
  return [...entries.filter(isRequired), ...entries.filter((entry) => !isRequired(entry))].flatMap(
    ([key, property]) => {
      const name = path ? `${path}.${key}` : key;
      const { $ref } = innerOf(property);
      const isRepeated = $ref !== undefined && names.includes(nameIn($ref));
      const isDeep = isRepeated || name.split('.').length >= MAX_DEPTH;
      const inner = isDeep ? [] : fieldsIn(property, document, name, names);
      const field = { name, schema: property, isRequired: required.includes(key), hasFields: inner.length > 0 };
      return [field, ...inner];
    },
  );
}

function innerOf(schema: Schema): Schema {
  return schema.items ?? schema;
}

function isObject(schema: Schema, document: OpenApiDocument): boolean {
  return resolve(schema, document).properties !== undefined;
}

/** Describes types in words: `string`, `list of numbers`, `one of: a, b`. */
function typeOf(schema: Schema, document: OpenApiDocument): string {
  const { type, enum: values, items, anyOf, oneOf, properties, allOf } = resolve(schema, document);
  if (values)
    return `one of: ${values.slice(0, MAX_VALUES).map(String).join(', ')}${values.length > MAX_VALUES ? ' …' : ''}`;
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, document)))].join(' or ');
  if (items) return `list of ${typeOf(items, document).replace(/^(string|number|integer|boolean|object)$/, '$1s')}`;
  if (properties || allOf) return 'object';
  return [type ?? 'any value'].flat().join(' or ');
}

function limitsOf({ minLength, maxLength, minItems, maxItems, minimum, maximum, pattern, format }: Schema): string[] {
  const number = new Intl.NumberFormat('en');
  const range = (low: number | undefined, high: number | undefined, unit: string) => {
    if (low !== undefined && low === high) return `Exactly ${number.format(low)}${unit}`;
    if (low && high !== undefined) return `From ${number.format(low)} to ${number.format(high)}${unit}`;
    if (high !== undefined) return `At most ${number.format(high)}${unit}`;
    return low ? `At least ${number.format(low)}${unit}` : undefined;
  };
  const signed = minimum !== undefined && maximum !== undefined && minimum <= 0;
  return [
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    signed ? `From ${number.format(minimum)} to ${number.format(maximum)}` : range(minimum, maximum, ''),
    pattern && `Matches ${pattern}`,
    format && FORMATS[format],
  ].filter((limit) => typeof limit === 'string');
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'A UUID',
  uri: 'A URL',
  email: 'An email address',
  'date-time': 'ISO 8601',
};

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
}
