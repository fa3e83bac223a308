const LIGHT = `color-scheme: light;
  --ground: #ffffff; --raised: #ffffff; --sunken: #f4f6f6; --line: #e3e8e7; --field: #84918f; --text: #14201e;
  --quiet: #55645f; --accent: #0a6b5e; --accent-strong: #07544a; --accent-soft: #e6f3f0; --focus: #1f5fd0;
  --get: #0a5f8a; --write: #0a6b5e; --delete: #a8261e; --mark: #fdf0c4;
  --shadow: 0 1px 2px rgb(20 33 31 / 6%), 0 16px 48px rgb(20 33 31 / 16%);`;
const DARK = `color-scheme: dark;
  --ground: #0f1514; --raised: #18201f; --sunken: #171f1e; --line: #293331; --field: #74837f; --text: #e8efed;
  --quiet: #a2b1ad; --accent: #62d2bd; --accent-strong: #86e2d0; --accent-soft: #15312c; --focus: #9cc1ff;
  --get: #8cc8f0; --write: #62d2bd; --delete: #ffb0a6; --mark: #4a3d10;
  --shadow: 0 0 0 1px #2c3735, 0 16px 48px rgb(0 0 0 / 60%);`;

export const STYLE = `:root { ${LIGHT} }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { ${DARK} } }
:root[data-theme=dark] { ${DARK} }
:root {
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  --mono: ui-monospace, "SFMono-Regular", Menlo, Consolas, "Liberation Mono", monospace;
  --top: 3.5rem;
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: calc(var(--top) + 1rem); scrollbar-gutter: stable; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.6 var(--font); overflow-wrap: break-word; }
h1, h2, h3, h4 { margin: 0; line-height: 1.25; letter-spacing: -.012em; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: 1.9rem; font-weight: 680; letter-spacing: -.02em; }
article h2 { margin-top: 2.75rem; padding-top: 1.5rem; border-top: 1px solid var(--line); font-size: 1.35rem; font-weight: 660; }
article h3 { margin-top: 2rem; font-size: 1.1rem; font-weight: 650; }
article h4 { margin-top: 1.5rem; font-size: .95rem; font-weight: 650; }
p { text-wrap: pretty; }
article > p, article > ul, article > ol { max-width: 46rem; }
article li + li { margin-top: .25rem; }
article img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 10px; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .2em; }
a:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
code, pre { font: .875em/1.55 var(--mono); }
pre code { font: inherit; }
:not(pre) > code { padding: .12em .35em; border-radius: 5px; background: var(--sunken); overflow-wrap: anywhere; }
a > code { color: inherit; }
.quiet { color: var(--quiet); }
.small { font-size: .875rem; }
.only-read { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100rem; top: 0; z-index: 40; padding: .6rem 1rem; background: var(--ground); }
.skip:focus { left: .5rem; top: .5rem; }
.top { position: sticky; top: 0; z-index: 20; display: flex; align-items: center; gap: 1rem; height: var(--top); padding: 0 max(1.5rem, calc((100vw - 96rem) / 2)); border-bottom: 1px solid var(--line); background: var(--ground); }
.brand { display: flex; align-items: center; gap: .6rem; color: var(--text); font-weight: 650; text-decoration: none; letter-spacing: -.01em; white-space: nowrap; }
.brand:hover { color: var(--text); }
.brand img { display: block; }
.search { position: relative; flex: 1; max-width: 34rem; margin: 0 auto; }
.search input { width: 100%; height: 2.3rem; padding: .3rem .8rem; border: 1px solid var(--field); border-radius: 7px; background: var(--ground); color: inherit; font: inherit; font-size: .9375rem; }
.search input::placeholder { color: var(--quiet); opacity: 1; }
.found { position: absolute; top: calc(100% + .4rem); left: 50%; translate: -50% 0; width: min(40rem, calc(100vw - 2rem)); max-height: min(32rem, 75vh); overflow-y: auto; padding: .5rem; border-radius: 10px; background: var(--raised); box-shadow: var(--shadow); }
.found p { margin: .5rem .75rem; }
.results { margin: 0; padding: 0; list-style: none; }
.results a { display: block; padding: .6rem .75rem; border-radius: 7px; color: var(--text); text-decoration: none; }
.results a:hover, .results a:focus-visible { background: var(--accent-soft); color: var(--text); }
.results strong { display: block; font-weight: 620; }
.results span { display: block; color: var(--quiet); font-size: .8125rem; overflow-wrap: anywhere; }
.results mark { background: var(--mark); color: inherit; border-radius: 2px; }
.to-console, .menu { font-size: .9375rem; }
.menu { min-height: 2.1rem; padding: .2rem .8rem; border: 1px solid var(--field); border-radius: 7px; background: transparent; color: var(--text); font: inherit; cursor: pointer; }
@media (min-width: 56.01rem) { .menu, .side .narrow { display: none; } }
.frame { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); max-width: 96rem; margin: 0 auto; }
.side { position: sticky; top: var(--top); align-self: start; height: calc(100vh - var(--top)); padding: 1.25rem .75rem 2rem 1rem; border-right: 1px solid var(--line); overflow-y: auto; font-size: .9375rem; }
.side h2 { padding: 1rem .6rem .3rem; color: var(--quiet); font-size: .75rem; font-weight: 600; letter-spacing: .01em; }
.narrow + h2 { padding-top: 0; }
.side ul, .contents ul { margin: 0; padding: 0; list-style: none; }
.side a { display: block; padding: .28rem .6rem; border-radius: 7px; color: var(--text); text-decoration: none; }
.side a:hover { background: var(--sunken); color: var(--text); }
.side a[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
main { min-width: 0; padding: 2.25rem clamp(1.25rem, 4vw, 3.5rem) 5rem; }
.contents { font-size: .875rem; }
.contents summary { color: var(--quiet); font-weight: 600; cursor: pointer; }
.contents ul { margin-top: .4rem; }
.contents a { display: block; padding: .18rem 0; color: var(--quiet); text-decoration: none; }
.contents a:hover { color: var(--text); text-decoration: underline; }
.contents .level-3 { padding-left: .9rem; }
@media (min-width: 75.01rem) {
  .frame:not(.wide) main { display: grid; grid-template-columns: minmax(0, 1fr) 14rem; grid-template-rows: auto auto 1fr; column-gap: 3.5rem; align-items: start; }
  .frame:not(.wide) main > * { grid-column: 1; min-width: 0; }
  .frame:not(.wide) .contents { grid-column: 2; grid-row: 1 / span 3; position: sticky; top: calc(var(--top) + 2.25rem); max-height: calc(100vh - var(--top) - 4rem); overflow-y: auto; }
  .frame:not(.wide) .contents summary { list-style: none; cursor: default; pointer-events: none; }
}
.contents { margin-top: 1rem; }
main > header p { margin: .6rem 0 0; color: var(--quiet); }
.overview h2 { margin-top: 2rem; padding: 0; border: 0; font-size: 1.15rem; }
.wide .contents { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 10px; }
.wide .contents ul { columns: 18rem; column-gap: 2rem; }
.anchor { color: var(--quiet); font-weight: 400; text-decoration: none; opacity: 0; }
:is(h1, h2, h3, h4):hover .anchor, .anchor:focus-visible { opacity: 1; }
.scroll { overflow-x: auto; margin: 1.25rem 0; }
thead:not(:has(th)) { display: none; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th { padding: .45rem 1rem .45rem 0; border-bottom: 1px solid var(--line); color: var(--quiet); font-size: .8125rem; font-weight: 600; text-align: left; }
td { padding: .6rem 1rem .6rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child { min-width: 7rem; }
td:last-child, th:last-child { padding-right: 0; }
thead td { padding: 0; }
.code { position: relative; margin: 1rem 0; }
.code pre { margin: 0; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--sunken); overflow-x: auto; tab-size: 2; }
.copy { position: absolute; top: .5rem; right: .5rem; min-height: 1.8rem; padding: .1rem .6rem; border: 1px solid var(--field); border-radius: 6px; background: var(--ground); color: var(--text); font: .8125rem var(--font); cursor: pointer; opacity: 0; }
.code:hover .copy, .copy:focus-visible, .copy:hover { opacity: 1; }
@media (hover: none) { .copy { opacity: 1; } }
.neighbours { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.neighbours a { max-width: 48%; font-weight: 600; text-decoration: none; }
.neighbours a:hover { text-decoration: underline; }
.neighbours a[rel=next] { text-align: right; }
.neighbours small { display: block; color: var(--quiet); font-weight: 400; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .75rem; margin: 1rem 0 0; padding: 0; list-style: none; max-width: none; }
.cards li { margin: 0; }
.cards a { display: block; height: 100%; padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: 10px; color: var(--text); text-decoration: none; }
.cards a:hover { border-color: var(--accent); background: var(--accent-soft); color: var(--text); }
.cards strong { display: block; color: var(--accent); font-weight: 620; }
.cards span { display: block; color: var(--quiet); font-size: .875rem; line-height: 1.45; }
.method { display: inline-block; min-width: 3.6rem; color: var(--write); font: 650 .8125rem var(--mono); }
.method.get { color: var(--get); }
.method.delete { color: var(--delete); }
.operations { margin: .5rem 0 0; padding: 0; list-style: none; max-width: none; }
.operations li { margin: 0; border-bottom: 1px solid var(--line); }
.operations a { display: grid; grid-template-columns: minmax(12rem, 2fr) 3fr; gap: 0 1rem; padding: .45rem 0; color: var(--text); text-decoration: none; }
.operations a:hover strong { text-decoration: underline; }
.operations strong { font-weight: 550; }
.operations code { padding: 0; background: none; color: var(--quiet); }
.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 2.5rem; align-items: start; }
.operation > h2, .operation > .path { grid-column: 1 / -1; }
.operation > .path { margin: .6rem 0 0; }
.operation .path code { padding: 0; background: none; font-size: .9375rem; }
.samples { position: sticky; top: calc(var(--top) + 1rem); min-width: 0; }
.samples pre { max-height: 24rem; overflow: auto; }
.samples h3 { margin-top: 1.25rem; font-size: .875rem; color: var(--quiet); font-weight: 600; }
.languages { display: inline-flex; gap: 2px; margin: 1rem 0 0; padding: 2px; border: 0; border-radius: 7px; background: var(--sunken); }
.languages label { position: relative; padding: .15rem .75rem; border-radius: 5px; color: var(--quiet); font-size: .8125rem; font-weight: 550; cursor: pointer; }
.languages label:has(:checked) { background: var(--raised); color: var(--text); box-shadow: 0 0 0 1px var(--line); }
.languages label:has(:focus-visible) { outline: 3px solid var(--focus); outline-offset: 1px; }
.languages input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
.try { margin: 1rem 0; }
.sample .code { margin: .5rem 0 0; }
:is(.samples, .try):has([value=http]:checked) .sample:not(.http),
:is(.samples, .try):has([value=curl]:checked) .sample:not(.curl),
:is(.samples, .try):has([value=python]:checked) .sample:not(.python),
:is(.samples, .try):has([value=javascript]:checked) .sample:not(.javascript) { display: none; }
.fields { margin: .25rem 0 0; padding: 0; list-style: none; }
.fields > li { margin: 0; padding: .6rem 0; border-bottom: 1px solid var(--line); font-size: .9375rem; }
.fields p { margin: .15rem 0 0; }
.fields .name { padding: 0; background: none; font-weight: 600; overflow-wrap: anywhere; }
.fields .type { color: var(--quiet); font-size: .8125rem; }
.required { color: var(--delete); font-size: .8125rem; }
.operation details { margin-top: 1rem; }
.operation summary { color: var(--accent); font-size: .9375rem; font-weight: 600; cursor: pointer; }
@media (max-width: 75rem) { .operation { display: block; } .samples { position: static; margin-top: 1.5rem; } }
@media (max-width: 56rem) {
  .frame { display: block; }
  .side { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); }
  .scripted .side:not(.is-open) { display: none; }
  .side a { padding: .5rem .6rem; }
  .narrow + h2 { padding-top: 1rem; }
  .top { gap: .6rem; padding: 0 1rem; }
  .to-console { display: none; }
  main { padding: 1.4rem 1rem 4rem; }
}
@media (max-width: 44rem) {
  h1 { font-size: 1.6rem; }
  .brand { font-size: 0; gap: 0; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td { display: block; }
  tr { padding: .7rem 0; border-bottom: 1px solid var(--line); }
  td { padding: .1rem 0; border: 0; overflow-wrap: anywhere; }
  td:empty { display: none; }
  td:first-child { font-weight: 600; }
  td:nth-child(n + 2):not(:nth-child(2):last-child)::before { content: attr(data-label) ": "; color: var(--quiet); font-size: .8125rem; }
  .operations a { grid-template-columns: 1fr; }
}
@media (min-width: 120rem) { html { font-size: 112.5%; } }
@media (forced-colors: active) { .side a[aria-current], .languages label:has(:checked) { outline: 2px solid; } }
@media print {
  :root:root { ${LIGHT} }
  .top, .side, .contents, .neighbours, .anchor, .copy, .languages, .skip { display: none; }
  .frame, .operation { display: block; max-width: none; }
  main { padding: 0; }
  .code pre { white-space: pre-wrap; overflow: visible; max-height: none; border-color: #999; }
  details::details-content { content-visibility: visible; block-size: auto; }
  article h2, article h3 { break-after: avoid; }
}
`;
