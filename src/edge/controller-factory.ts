import type { Controller } from '@tsoa/runtime';

export type ControllerClass = new (...args: never[]) => Controller;

/** A class of controllers, and how one is made: for each request again, because it carries the headers of the response. */
export type ControllerFactory = [ControllerClass, () => Controller];
