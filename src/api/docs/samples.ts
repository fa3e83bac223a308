import { type Html, html } from '../../platform/html';
import { codeBlock } from './code-block';
import { requestsIn } from './http-block';
import { LANGUAGES, type SnippetLanguage, snippetsOf } from './snippets';

/** Used where the address of this instance is not configured; a script replaces it by the address of the page. */
export const LOCAL_ADDRESS = 'http://localhost:8080';

const ORDER = Object.keys(LANGUAGES) as SnippetLanguage[]; // the keys of the table

/** A request as a program in each language, of which the reader chooses one. `name` is unique in the page. */
export function samplesOf(
  name: string,
  texts: Readonly<Record<SnippetLanguage, string>>,
  publicUrl: string | undefined,
): Html {
  return choiceOf(
    name,
    ORDER.map((language) => [language, LANGUAGES[language], withAddress(texts[language], publicUrl)]),
  );
}

/** The requests of an `http` block of a guide: as written with their answers, or as programs. */
export function tryIt(name: string, block: string, publicUrl: string | undefined): Html {
  const requests = requestsIn(block);
  if (requests.length === 0) return codeBlock(block);
  const programs = requests.map((request) => snippetsOf(request, publicUrl ?? LOCAL_ADDRESS));
  const texts = ORDER.map((language) => {
    const parts = programs.map((each, at) => continued(each[language], at === 0, programs.length));
    return [language, LANGUAGES[language], withAddress(parts.join('\n\n'), publicUrl)] as const;
  });
  return html`<div class="try">
${choiceOf(name, [['http', 'HTTP', html`${block}`], ...texts])}
</div>`;
}

/** One of several programs that run one after the other, of which only the first declares what it uses. */
function continued(program: string, isFirst: boolean, count: number): string {
  if (count === 1) return program;
  if (isFirst) return program.replace(/^const response/, 'let response');
  return program.replace(/^const response/, 'response').replace(/^import requests\n\n/, '');
}

function choiceOf(name: string, texts: readonly (readonly [value: string, label: string, text: Html])[]): Html {
  return html`<fieldset class="languages"><legend class="only-read">Language of the example</legend>${texts.map(
    ([value, label], index) =>
      html`<label><input type="radio" name="${name}" value="${value}"${index === 0 && html` checked`}>${label}</label>`,
  )}</fieldset>
${texts.map(([value, , text]) => html`<div class="sample ${value}">${codeBlock(text)}</div>`)}`;
}

/** The text with the address of this instance where a script can replace it. */
function withAddress(text: string, publicUrl: string | undefined): Html {
  if (publicUrl !== undefined) return html`${text}`;
  return html`${text
    .split(LOCAL_ADDRESS)
    .map((part, index) => html`${index > 0 && html`<span data-address>${LOCAL_ADDRESS}</span>`}${part}`)}`;
}
