import type { TsoaRoute } from '@tsoa/runtime';
import type { ReadModel } from '../read-model';
import { LenientReader } from './lenient-reader';

/** For documents: as a request, but each unknown field is a mistake. */
export function exactReader(models: TsoaRoute.Models): ReadModel {
  return (model, data) => {
    const reader = new LenientReader(models, new Set());
    const value = reader.read({ ref: model, required: true }, data, '');
    return { value, errors: reader.errors };
  };
}
