import { type Html, html } from '../../platform/html';
import type { PlainText, Words } from '../../platform/words/words';
import type { Said } from './form-page';

/** Says that a link does nothing any more, and why. */
export function endedLink(words: Words, why: PlainText): Said {
  return headed(words, 'This link has ended', html`<p role="alert">${words.t(why)}</p>`);
}

/** A page whose title is its heading. `before` stands above it. */
export function headed(words: Words, heading: PlainText, body: Html, before?: Html): Said {
  const title = words.t(heading);
  return { title, body: html`${before}<h1>${title}</h1>\n${body}` };
}
