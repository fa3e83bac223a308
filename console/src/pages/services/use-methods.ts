import { api, ask, type Records } from '../../api';
import { useResource } from '../../use-resource';

/** What the get methods of a service return, and its set methods. */
export interface Called {
  values: ReadonlyMap<string, string>;
  setters: readonly Records['ServiceMethodView'][];
}

/** The methods of a service, and the function that calls one and then reads them again. */
export function useMethods(id: string, serviceId: string) {
  const path = { id, service_id: serviceId };
  const methods = useResource(`methods ${serviceId}`, (signal) => load(path, signal), { everyMs: 10_000 });
  const call = async (method: string, parameters: string[]) => {
    const params = { path: { ...path, method } };
    await ask(api.post('/sensors/{id}/services/{service_id}/{method}', { params, body: { parameters } }));
    methods.reload();
  };
  return { methods, call };
}

async function load(path: { id: string; service_id: string }, signal: AbortSignal): Promise<Called> {
  const { methods } = await ask(api.get('/sensors/{id}/services/{service_id}/methods', { params: { path }, signal }));
  const values = await Promise.all(
    methods
      .filter(({ name }) => name.startsWith('Get'))
      .map(async ({ name }) => {
        const params = { path: { ...path, method: name } };
        const { result } = await ask(api.get('/sensors/{id}/services/{service_id}/{method}', { params, signal }));
        return [name.slice(3), result] as const;
      }),
  );
  return { values: new Map(values), setters: methods.filter(({ name }) => name.startsWith('Set')) };
}
