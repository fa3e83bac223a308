import type { TsoaRoute } from '@tsoa/runtime';

type Model = TsoaRoute.Models[string];
type Schema = TsoaRoute.PropertySchema;

/**
 * The body with its wrapper key: `{"name": "x"}` where `{"sensor": {"name": "x"}}` is expected is taken as the sensor itself, as
 * long as it has at least one field of a sensor. Any other body is returned as it is.
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

/** Whether a property is the object that the body is about: it is required, or the single one next to a list. */
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
