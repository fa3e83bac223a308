/**
 * The console's theme, the menu of narrow screens, search while typing, copy buttons, one language and this instance's
 * address for all examples. Pages work without it.
 */
export const SCRIPT = `const theme = localStorage.getItem('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
document.documentElement.classList.add('scripted');

document.addEventListener('DOMContentLoaded', () => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const root = new URL(document.documentElement.dataset.root, location.href);
  const status = document.querySelector('.search [role=status]');
  const narrow = matchMedia('(max-width: 75rem)');

  const menu = document.querySelector('.menu');
  menu.hidden = false;
  menu.addEventListener('click', () => {
    const open = document.getElementById('side').classList.toggle('is-open');
    menu.setAttribute('aria-expanded', String(open));
    menu.textContent = open ? 'Close' : 'Menu';
  });

  const contents = document.querySelector('.contents details');
  const fold = () => { if (contents) contents.open = !narrow.matches; };
  narrow.addEventListener('change', fold);
  fold();

  const current = document.querySelector('.side [aria-current]');
  const side = document.getElementById('side');
  if (current) side.scrollTop = current.offsetTop - side.clientHeight / 2;

  for (const place of all('[data-address]')) place.textContent = root.href.replace(/\\/$/, '');

  for (const block of all('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const text = block.querySelector('code').textContent;
      const done = await copy(text, block.querySelector('code'));
      button.textContent = done ? 'Copied' : 'Press Ctrl+C';
      status.textContent = button.textContent;
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
    block.append(button);
  }

  const languages = all('.languages input');
  const choose = (language) => {
    for (const input of languages) input.checked = input.value === language;
  };
  for (const input of languages) {
    input.addEventListener('change', () => {
      const before = input.getBoundingClientRect().top;
      choose(input.value);
      localStorage.setItem('docs-language', input.value);
      scrollBy(0, input.getBoundingClientRect().top - before);
    });
  }
  const language = localStorage.getItem('docs-language');
  if (languages.some((input) => input.value === language)) choose(language);

  addEventListener('keydown', (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.select();
    }
  });

  const form = document.querySelector('.search');
  const field = form.querySelector('input');
  const found = form.querySelector('.found');
  let asked = 0;
  let timer;
  const close = () => { found.hidden = true; };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, 120);
  });
  async function search() {
    const text = field.value.trim();
    const number = ++asked;
    if (text.length < 2) return close();
    const address = new URL('docs/search', root);
    address.searchParams.set('q', text);
    const answer = await fetch(address).catch(() => undefined);
    if (number !== asked) return;
    if (!answer?.ok) { status.textContent = 'The search is not available.'; return close(); }
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const results = page.querySelector('#results');
    if (number !== asked || !results) return;
    for (const link of all('a', results)) link.href = new URL(link.getAttribute('href'), address).href;
    found.replaceChildren(...results.childNodes);
    found.hidden = false;
    status.textContent = all('a', found).length + ' results';
  }
  form.addEventListener('keydown', (event) => {
    const stops = [field, ...(found.hidden ? [] : all('a', found))];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && stops.length > 1) {
      event.preventDefault();
      stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
    }
    if (event.key === 'Escape') { close(); field.focus(); }
  });
  form.addEventListener('focusout', (event) => { if (!form.contains(event.relatedTarget)) close(); });
  found.addEventListener('click', close);
});

/** Pages that are not served by HTTPS have no clipboard: the text is selected there. */
async function copy(text, element) {
  if (navigator.clipboard) {
    const done = await navigator.clipboard.writeText(text).then(() => true, () => false);
    if (done) return true;
  }
  getSelection().selectAllChildren(element);
  return document.execCommand('copy');
}
`;
