/**
 * Reads data as a request of this model is read, and refuses unknown fields. `errors` has the reasons by the paths of
 * wrong fields.
 */
export type ReadModel = (model: string, data: unknown) => { value: unknown; errors: Readonly<Record<string, string>> };
