import type { TsoaRoute } from '@tsoa/runtime';

type Model = TsoaRoute.Models[string];
type Schema = TsoaRoute.PropertySchema;

/** `{"name": "x"}` counts as `{"sensor": {"name": "x"}}` if it has a field of a sensor. Other bodies stay unchanged. */
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

/** The main object of the body: required, or the single form next to a list. */
function isWrapper(models: TsoaRoute.Models, properties: Record<string, Schema>, name: string): boolean {
  const schema = properties[name];
  const isMeant = schema?.required === true || Object.hasOwn(properties, `${name}s`);
  return isMeant && Object.keys(fieldsOf(models, schema)).length > 0;
}

function fieldsOf(models: TsoaRoute.Models, schema: Schema | undefined): Record<string, Schema> {
  if (schema?.ref !== undefined) return propertiesOf(models[schema.ref]);
  return schema?.nestedProperties ?? {};
}

function propertiesOf(model: Model | undefined): Record<string, Schema> {
  return model?.dataType === 'refObject' ? (model.properties ?? {}) : {};
}
