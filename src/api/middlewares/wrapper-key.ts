import type { TsoaRoute } from '@tsoa/runtime';

type Model = TsoaRoute.Models[string];
type Schema = TsoaRoute.PropertySchema;

/**
 * Adds the wrapper key to a body: `{"name": "x"}` in place of `{"sensor": {"name": "x"}}` counts as the sensor itself,
 * if it has at least one field of a sensor. Any other body is returned unchanged.
 */
export function withWrapper(
  models: TsoaRoute.Models,
  ref: string | undefined,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const properties = propertiesOf(ref === undefined ? undefined : models[ref]);
  const [wrapper, ...others] = Object.keys(properties).filter((name) => isWrapper(models, properties, name));
  if (wrapper === undefined || others.length > 0) return body;
  if (Object.hasOwn(body, wrapper) || Object.hasOwn(body, `${wrapper}s`)) return body;
  const fields = fieldsOf(models, properties[wrapper]);
  const hasField = Object.keys(fields).some((name) => !Object.hasOwn(properties, name) && Object.hasOwn(body, name));
  return hasField ? { ...body, [wrapper]: body } : body;
}

/** True if a property is the main object of the body: it is required, or it is the single form next to a list. */
function isWrapper(models: TsoaRoute.Models, properties: Record<string, Schema>, name: string): boolean {
  const schema = properties[name];
  const isMeant = schema?.required === true || Object.hasOwn(properties, `${name}s`);
  return isMeant && Object.keys(fieldsOf(models, schema)).length > 0;
}

/** The fields of a property that is an object with known fields; `{}` for any other one. */
function fieldsOf(models: TsoaRoute.Models, schema: Schema | undefined): Record<string, Schema> {
  if (schema?.ref !== undefined) return propertiesOf(models[schema.ref]);
  return schema?.nestedProperties ?? {};
}

function propertiesOf(model: Model | undefined): Record<string, Schema> {
  return model?.dataType === 'refObject' ? (model.properties ?? {}) : {};
}
