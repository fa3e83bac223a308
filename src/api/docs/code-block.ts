import { type Html, html } from '../../platform/html';

/** A block of code; a script adds the button that copies it. */
export function codeBlock(code: string | Html): Html {
  return html`<div class="code"><pre tabindex="0"><code>${code}</code></pre></div>`;
}
