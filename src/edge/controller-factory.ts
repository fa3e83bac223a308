import type { Controller } from '@tsoa/runtime';

export type ControllerClass = new (...args: never[]) => Controller;

/** A controller is made for each request, because it carries the headers of the response. */
export type ControllerFactory = [ControllerClass, () => Controller];
