import type { TsoaRoute } from '@tsoa/runtime';
import { isRecord } from '../../platform/is-record';
import { EXACT_MODELS, unknownKeyOf } from './exact-models';
import { readBoolean, readDate, readEnum, readNumber, readText, type Scalar } from './lenient-scalars';

type Schema = TsoaRoute.PropertySchema;

/** Without a limit in the schema. */
const MAX_ITEMS = 1_000;
const MAX_DEPTH = 20;

/**
 * Converts client input to a schema's types: numbers as strings, `1` for `true`, one object for a list of one. An empty
 * string or null means "not given", unless null is allowed. Unknown keys are passed on, except in requests that act on
 * many things. `errors` has mistakes by the caller's paths.
 */
export class LenientReader {
  readonly errors: Record<string, string> = {};

  /** `allowed`: further keys of an exact model; undefined for other models. */
  constructor(
    private readonly models: TsoaRoute.Models,
    private readonly allowed?: ReadonlySet<string>,
  ) {}

  /** `undefined` if not given or invalid. */
  read(schema: Schema, value: unknown, path: string, depth = 0): unknown {
    if (value === null && isNullable(schema)) return null;
    const given = value === '' || value === null ? undefined : value;
    if (given === undefined) return this.missing(schema, path);
    if (depth > MAX_DEPTH) return this.fail(path, 'is nested too deeply');
    if (schema.ref === 'DateInput') return this.scalar(readDate(given, schema.validators), path);
    if (schema.ref) return this.readModel(schema.ref, given, path, depth);
    switch (schema.dataType) {
      case 'string':
        return this.scalar(readText(given, schema.validators), path);
      case 'boolean':
        return this.scalar(readBoolean(given), path);
      case 'integer':
      case 'long':
        return this.scalar(readNumber(given, schema.validators, true), path);
      case 'float':
      case 'double':
        return this.scalar(readNumber(given, schema.validators, 'isInt' in (schema.validators ?? {})), path);
      case 'enum':
        return this.scalar(readEnum(given, schema.enums ?? []), path);
      case 'array':
        return this.readArray(schema, given, path, depth);
      case 'nestedObjectLiteral':
        return this.readObject(schema.nestedProperties ?? {}, schema.additionalProperties, given, path, depth);
      case 'union':
        return this.readUnion(schema, given, path, depth);
      case 'intersection':
        return this.readIntersection(schema, given, path, depth);
      case 'object':
        return isRecord(given) ? given : this.fail(path, 'must be an object');
      case 'undefined':
        return undefined;
      default:
        return given;
    }
  }

  private missing(schema: Schema, path: string): unknown {
    if (schema.required) return this.fail(path || 'body', 'is required');
    return schema.default;
  }

  private fail(path: string, why: string): undefined {
    this.errors[path || 'body'] ??= why;
    return undefined;
  }

  private scalar(result: Scalar, path: string): unknown {
    return result.ok ? result.value : this.fail(path, result.why);
  }

  private readModel(name: string, value: unknown, path: string, depth: number): unknown {
    const model = this.models[name];
    if (model === undefined) throw new Error(`the model ${name} is unknown`);
    const allowed = this.allowed ? undefined : EXACT_MODELS.get(name);
    if (allowed) return this.readExactly(allowed, (reader) => reader.readModel(name, value, path, depth));
    switch (model.dataType) {
      case 'refEnum':
        return this.scalar(readEnum(value, model.enums ?? []), path);
      case 'refAlias':
        return this.read({ ...model.type, required: true }, value, path, depth + 1);
      case 'refObject':
        return this.readObject(model.properties ?? {}, model.additionalProperties, value, path, depth);
    }
  }

  private readExactly(allowed: ReadonlySet<string>, read: (reader: LenientReader) => unknown): unknown {
    const reader = new LenientReader(this.models, allowed);
    const value = read(reader);
    Object.assign(this.errors, reader.errors);
    return value;
  }

  private readArray(schema: Schema, value: unknown, path: string, depth: number): unknown {
    const item = schema.array;
    if (!item) return value;
    const items = Array.isArray(value) ? value : [value];
    const least = Number(schema.validators?.minItems?.value ?? 0);
    const most = Number(schema.validators?.maxItems?.value ?? MAX_ITEMS);
    if (items.length < least) return this.fail(path, least === 1 ? 'must not be empty' : `needs ${least} items`);
    if (items.length > most) return this.fail(path, `must have at most ${most} items`);
    return items.map((entry, index) => {
      if (entry === null || entry === '') return this.fail(`${path}[${index}]`, 'must not be empty');
      return this.read({ ...item, required: true }, entry, `${path}[${index}]`, depth + 1);
    });
  }

  private readObject(
    properties: Record<string, Schema>,
    additional: Schema['additionalProperties'],
    value: unknown,
    path: string,
    depth: number,
  ): unknown {
    if (!isRecord(value)) return this.fail(path, 'must be an object');
    // Callers choose the names of texts and numbers, such as headers and labels.
    const isNamedByCaller = typeof additional === 'object' && /^(?:string|union)$/.test(String(additional.dataType));
    if (!isNamedByCaller) this.requireKnown(value, properties, path);
    const result: Record<string, unknown> = {};
    for (const [key, schema] of schemasOf(value, properties, additional)) {
      const read = this.read(schema, own(value, key), join(path, key), depth + 1);
      if (read !== undefined) result[key] = read;
    }
    return result;
  }

  private requireKnown(value: object, properties: Record<string, Schema>, path: string): void {
    const unknown = this.allowed && unknownKeyOf(value, Object.keys(properties), this.allowed);
    if (unknown) this.fail(join(path, unknown.key), unknown.why);
  }

  /** The first member that accepts the value reads it. The last one's reason is reported if none does. */
  private readUnion(schema: Schema, value: unknown, path: string, depth: number): unknown {
    const members = (schema.subSchemas ?? []).filter((member) => !isNull(member));
    // tsoa describes a choice of strings as a union of enums of one value: the error has to name them all.
    if (members.length > 0 && members.every(({ dataType }) => dataType === 'enum')) {
      const allowed = members.flatMap(({ enums }) => enums ?? []);
      return this.scalar(readEnum(value, allowed), path);
    }
    let last: Record<string, string> = { [path || 'body']: 'has the wrong type' };
    for (const member of members) {
      const attempt = new LenientReader(this.models, this.allowed);
      // The limits of a nullable number or text are those of the union.
      const validators = { ...schema.validators, ...member.validators };
      const read = attempt.read({ ...member, validators, required: true }, value, path, depth + 1);
      if (Object.keys(attempt.errors).length === 0) return read;
      last = attempt.errors;
    }
    Object.assign(this.errors, last);
    return undefined;
  }

  private readIntersection(schema: Schema, value: unknown, path: string, depth: number): unknown {
    const parts = (schema.subSchemas ?? []).map((part) =>
      this.read({ ...part, required: true }, value, path, depth + 1),
    );
    return Object.assign({}, ...parts);
  }
}

function isNullable({ dataType, subSchemas = [] }: Schema): boolean {
  return dataType === 'any' || subSchemas.some(isNull);
}

function isNull({ dataType, enums }: Schema): boolean {
  return dataType === 'enum' && enums?.length === 1 && enums[0] === null;
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Declared properties, then others if the object may have them. */
function schemasOf(
  value: object,
  properties: Record<string, Schema>,
  additional: Schema['additionalProperties'],
): [string, Schema][] {
  const declared = Object.entries(properties);
  if (!additional) return declared;
  const schema: Schema = additional === true ? { dataType: 'any' } : additional;
  const others = Object.keys(value).filter((key) => !(key in properties) && key !== '__proto__');
  return [...declared, ...others.map((key): [string, Schema] => [key, schema])];
}
