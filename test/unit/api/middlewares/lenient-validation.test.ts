import 'reflect-metadata';
import assert from 'node:assert/strict';
import { type TsoaRoute, ValidateError } from '@tsoa/runtime';
import type { Request } from 'express';
import { UNCHECKED_BODIES, validateArguments } from '../../../../src/api/middlewares/lenient-validation';
import { models, routes } from '../../../../src/generated/routes';

const PHOTO: TsoaRoute.Models = {
  PhotoUpload: { dataType: 'refObject', properties: { name: { dataType: 'string', required: true } } },
};

describe('the validation of bodies', () => {
  const bodyOf = (args: Record<string, TsoaRoute.ParameterSchema>) =>
    Object.values(args).find((arg) => arg.in === 'body');

  it('skips only the bodies of the two upload operations, and of the protocols of agents, which have their own readers', () => {
    const isOfAgents = (path: string) => !path.startsWith('/sensors');
    const unchecked = routes.filter(
      ({ args, path }) => UNCHECKED_BODIES.has(bodyOf(args)?.ref ?? '') && !isOfAgents(path),
    );
    assert.deepEqual(unchecked.map(({ action }) => action).sort(), ['uploadData', 'uploadSensorsData']);
    for (const name of UNCHECKED_BODIES) assert.ok(models[name], `${name} is a type of a body`);
  });

  it('validates a type of any other name', () => {
    const args = { body: { in: 'body', name: 'body', required: true, ref: 'PhotoUpload' } } as const;
    const request = { body: {} } as Request; // all that is read of it
    assert.throws(
      () => validateArguments(args, request, PHOTO),
      (error) => error instanceof ValidateError && 'name' in error.fields,
    );
  });
});
