import type { Word } from '../../language/notification-text';
import { type Rendering, Template, type TemplateProblem } from '../../language/templates/template';
import { exactJson, LongNumber } from '../../platform/exact-json';
import { isRecord } from '../../platform/is-record';
import type { Steps } from '../../platform/steps';

/** Characters of a body, as JSON. */
export const MAX_BODY = 20_000;
const MAX_DEPTH = 20;
const MAX_EXPRESSIONS = 100;

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
const IS_JSON = /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i;
const IS_FORM = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;

export interface WebhookBody {
  /** Takes a step for each expression. */
  render(rendering: Rendering): Steps<string>;
  /** The fields of values that its templates read. */
  fields(): Word[];
}

/** `path` leads to the refused part, as in `.blocks[0].text`. */
export interface BodyProblem extends TemplateProblem {
  path: string;
}

type Part =
  | { kind: 'constant'; value: unknown }
  | { kind: 'leaf'; template: Template }
  | { kind: 'list'; items: Part[] }
  | { kind: 'object'; fields: [string, Part][] };

class Refused extends Error {
  constructor(readonly problem: BodyProblem) {
    super(problem.error);
  }
}

/**
 * JSON is an object or a list whose strings are templates. A form is an object whose fields are templates. Any other
 * body is one template. Refuses secrets other than the given ones.
 */
export function compileBody(
  contentType: string,
  body: unknown,
  secrets?: ReadonlySet<string>,
): { body: WebhookBody } | { problem: BodyProblem } {
  const builder = new BodyBuilder(secrets);
  try {
    const render = builder.build(contentType, body);
    return { body: { render, fields: () => builder.templates.flatMap((template) => template.fields) } };
  } catch (error) {
    if (error instanceof Refused) return { problem: error.problem };
    throw error;
  }
}

/** True for JSON and forms: the API takes their bodies as JSON values. */
export function isStructured(contentType: string): boolean {
  return IS_JSON.test(contentType) || IS_FORM.test(contentType);
}

type Render = WebhookBody['render'];

class BodyBuilder {
  readonly templates: Template[] = [];
  private expressions = 0;

  constructor(private readonly secrets: ReadonlySet<string> | undefined) {}

  build(contentType: string, body: unknown): Render {
    if (IS_FORM.test(contentType)) return this.form(body);
    return IS_JSON.test(contentType) ? this.json(body) : this.text(body);
  }

  private json(body: unknown): Render {
    if (typeof body !== 'object' || body === null) throw refused('', 'must be a JSON object or list');
    const part = this.part(body, '', 0);
    return function* (rendering) {
      return exactJson(yield* jsonOf(part, rendering));
    };
  }

  private form(body: unknown): Render {
    if (!isRecord(body)) throw refused('', 'must be an object with the fields of the form');
    const fields = Object.entries(body).map(([name, value]) => {
      if (typeof value !== 'string') throw refused(`.${name}`, 'must be a string: it is a field of a form');
      return { name, template: this.template(value, `.${name}`) };
    });
    return function* (rendering) {
      const values = new URLSearchParams();
      for (const { name, template } of fields) values.append(name, yield* template.render(rendering));
      return values.toString();
    };
  }

  private text(body: unknown): Render {
    if (typeof body !== 'string') throw refused('', 'must be a string for this content type');
    const template = this.template(body, '');
    return (rendering) => template.render(rendering);
  }

  private part(value: unknown, path: string, depth: number): Part {
    if (depth > MAX_DEPTH) throw refused(path, `must be nested at most ${MAX_DEPTH} levels deep`);
    if (typeof value === 'string') return { kind: 'leaf', template: this.template(value, path) };
    if (Array.isArray(value)) {
      return { kind: 'list', items: value.map((item, index) => this.part(item, `${path}[${index}]`, depth + 1)) };
    }
    if (!isRecord(value) || value instanceof LongNumber) return { kind: 'constant', value };
    const fields = Object.entries(value).map(([name, inner]): [string, Part] => [
      name,
      this.part(inner, `${path}.${name}`, depth + 1),
    ]);
    return { kind: 'object', fields };
  }

  private template(text: string, path: string): Template {
    const compiled = Template.compile(text, this.secrets);
    if ('problem' in compiled) throw new Refused({ ...compiled.problem, path });
    this.templates.push(compiled.template);
    this.expressions += compiled.template.size;
    if (this.expressions > MAX_EXPRESSIONS) throw refused(path, `must have at most ${MAX_EXPRESSIONS} expressions`);
    return compiled.template;
  }
}

/** A template is a string, unless it is one call of `number`. */
function* jsonOf(part: Part, rendering: Rendering): Steps<unknown> {
  switch (part.kind) {
    case 'constant':
      return part.value;
    case 'leaf': {
      yield;
      const number = part.template.numberIn(rendering);
      return number === undefined ? yield* part.template.render(rendering) : number;
    }
    case 'list': {
      const items: unknown[] = [];
      for (const item of part.items) items.push(yield* jsonOf(item, rendering));
      return items;
    }
    case 'object': {
      const fields: [string, unknown][] = [];
      for (const [name, inner] of part.fields) fields.push([name, yield* jsonOf(inner, rendering)]);
      return Object.fromEntries(fields);
    }
  }
}

function refused(path: string, error: string): Refused {
  return new Refused({ path, error, position: -1 });
}
