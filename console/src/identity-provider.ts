import { ROOT } from './api';

/** The host of the identity provider; undefined if the platform has none. */
export const IDENTITY_PROVIDER = document.querySelector<HTMLMetaElement>('meta[name="identity-provider"]')?.content;

/** Opens a page of the platform outside of the console. */
export function leaveTo(path: string): void {
  window.location.assign(ROOT + path.replace(/^\//, ''));
}
