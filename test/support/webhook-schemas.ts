import Ajv from 'ajv';

/** Compares bodies with the schema that the OpenAPI document has for a webhook; the complaints, none for a body that fits. */
export function schemaValidator(webhook: object | undefined, contentType: string): (body: unknown) => unknown[] {
  const { requestBody } = Object(Reflect.get(Object(webhook), 'post'));
  const schema = { ...requestBody.content[contentType].schema, additionalProperties: false };
  const validate = new Ajv({ strict: false, formats: { 'date-time': true } }).compile(schema);
  return (body) => (validate(body) ? [] : (validate.errors ?? []));
}
