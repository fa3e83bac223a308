import { lookOf, STATES, type StateName } from '../../platform/states';

/** Follows the system's light or dark mode, and fits narrow phones. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ground: #eef2f1;
  --card: #ffffff;
  --line: #d3dcda;
  --field: #7d8d8a;
  --text: #14211f;
  --quiet: #51615e;
  --accent: #0a6b5e;
  --accent-deep: #07544a;
  --on-accent: #ffffff;
  --second: #9a4a00;
  --danger: #a1231c;
  --danger-ground: #fdeceb;
  --good-ground: #e4f4ef;
  --focus: #1f5fd0;
  --shadow: 0 1px 2px rgb(20 33 31 / 8%), 0 12px 32px rgb(20 33 31 / 8%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1514;
    --card: #17211f;
    --line: #2c3a37;
    --field: #71837f;
    --text: #e7efed;
    --quiet: #a3b4b0;
    --accent: #62d2bd;
    --accent-deep: #86e2d0;
    --on-accent: #05221d;
    --second: #f0b072;
  --danger: #ffb4ab;
    --danger-ground: #3c1816;
    --good-ground: #123029;
    --focus: #9cc1ff;
    --shadow: 0 0 0 1px #2c3a37;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  padding: clamp(1rem, 6vh, 4.5rem) 1rem 2rem;
  background: var(--ground);
  color: var(--text);
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  overflow-wrap: anywhere;
}
.page { max-width: 29rem; margin: 0 auto; }
.page.wide { max-width: 42rem; }
.page.full { max-width: 78rem; }
.brand {
  display: flex;
  align-items: center;
  gap: .6rem;
  margin: 0 0 1.1rem;
  color: var(--quiet);
  font-size: .95rem;
  font-weight: 600;
}
.brand img { display: block; }
main {
  padding: clamp(1.25rem, 5vw, 2.25rem);
  background: var(--card);
  border-radius: 14px;
  box-shadow: var(--shadow);
}
h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
h2 { margin: 1.75rem 0 .5rem; font-size: 1.1rem; line-height: 1.3; }
p, form { margin: 0 0 1rem; }
form + p { margin-top: 1.25rem; }
p:last-child, ul:last-child, form:last-child, dl:last-child { margin-bottom: 0; }
.quiet { color: var(--quiet); }
.small { font-size: .9375rem; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .2em; }
a:hover { color: var(--accent-deep); text-decoration-thickness: 2px; }
code, .code {
  padding: .1em .35em;
  border-radius: 5px;
  background: var(--ground);
  font: .92em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "Liberation Mono", monospace;
}
.code { display: block; margin: .25rem 0 0; padding: .65rem .8rem; user-select: all; }
.code + button { margin-top: .4rem; }
.code.large { padding: .9rem 1rem; font-size: 1.35rem; text-align: center; letter-spacing: .06em; }
label, legend { display: block; padding: 0; font-weight: 600; }
fieldset { margin: 0; padding: 0; border: 0; }
.field { margin: 0 0 1.15rem; }
.hint { margin: .35rem 0 0; color: var(--quiet); font-size: .9375rem; }
input, textarea, select {
  display: block;
  width: 100%;
  min-height: 2.9rem;
  margin-top: .35rem;
  padding: .6rem .8rem;
  border: 1px solid var(--field);
  border-radius: 9px;
  background: var(--card);
  color: inherit;
  font: inherit;
}
textarea { min-height: 5.5rem; resize: vertical; }
input[aria-invalid=true] { border-color: var(--danger); }
input[type=checkbox], input[type=radio] { flex: none; width: 1.2rem; min-height: 1.2rem; margin: .2rem 0 0; accent-color: var(--accent); }
.choice { display: flex; gap: .7rem; align-items: flex-start; padding: .35rem 0; font-weight: 400; }
button, .button {
  display: inline-block;
  min-height: 2.9rem;
  padding: .6rem 1.3rem;
  border: 1px solid transparent;
  border-radius: 9px;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 650;
  line-height: 1.5;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { background: var(--accent-deep); color: var(--on-accent); }
button.plain { border-color: var(--field); background: transparent; color: var(--text); }
button.plain:hover { border-color: currentcolor; background: var(--ground); }
button.danger { border-color: currentcolor; background: transparent; color: var(--danger); }
button.danger:hover { background: var(--danger-ground); }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
.buttons > * { flex: 1 1 10rem; }
.buttons > form { flex-basis: 100%; margin: 0; }
.buttons + .small { margin-top: .75rem; }
.buttons > form button { width: 100%; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.message { margin: 0 0 1.25rem; padding: .75rem .95rem; border-left: 4px solid; border-radius: 9px; }
.message.error { background: var(--danger-ground); color: var(--danger); }
.message.good { background: var(--good-ground); border-color: var(--accent); }
.rights { margin: 0 0 1.25rem; padding: 0; list-style: none; }
.rights li { position: relative; margin: 0 0 .5rem; padding-left: 1.75rem; }
.rights li::before {
  content: "";
  position: absolute;
  left: .3rem;
  top: .38em;
  width: .4rem;
  height: .75rem;
  border: solid var(--accent);
  border-width: 0 2.5px 2.5px 0;
  transform: rotate(42deg);
}
.rights li.not::before {
  top: .68em;
  width: .8rem;
  height: 0;
  border-color: var(--quiet);
  border-width: 0 0 2.5px;
  transform: none;
}
.items { margin: 1.25rem 0 0; padding: 0; list-style: none; }
.items > li { padding: 1.1rem 0; border-top: 1px solid var(--line); }
.items > li:last-child { padding-bottom: 0; }
.items h2 { margin: 0 0 .25rem; }
.items form { margin-top: .75rem; }
dl { margin: 0 0 1.25rem; }
dt { font-weight: 600; }
dd { margin: 0 0 .8rem; }
.who { margin: 1.5rem 0 0; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .9375rem; }
.link { min-height: 0; padding: 0; border: 0; border-radius: 3px; background: none; color: var(--accent); font-weight: 400; text-decoration: underline; text-underline-offset: .2em; }
.link:hover { background: none; color: var(--accent-deep); text-decoration-thickness: 2px; }
.inline { display: inline; }
.scroll { overflow-x: auto; margin: 0 0 1.25rem; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; overflow-wrap: normal; }
th { padding: .4rem 1rem .4rem 0; border-bottom: 1px solid var(--line); color: var(--quiet); font-weight: 600; text-align: left; white-space: nowrap; }
td { padding: .5rem 1rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
td form { margin: 0; }
td.nowrap, td.number { white-space: nowrap; }
td.number { font-variant-numeric: tabular-nums; }
h3 { margin: 1.25rem 0 .25rem; font-size: 1rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.5rem 2rem; margin: .75rem 0 1rem; }
nav { margin: 0 0 .5rem; }
.chart { margin: 0; min-width: 0; }
.chart figcaption { margin: 0 0 .4rem; font-size: .9375rem; }
.chart strong { display: block; }
.legend { margin-right: 1rem; color: var(--quiet); white-space: nowrap; font-variant-numeric: tabular-nums; }
.legend svg { width: 1.25rem; height: .25rem; vertical-align: middle; }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .15rem .5rem; color: var(--quiet); font-size: .8125rem; line-height: 1; font-variant-numeric: tabular-nums; }
.plot > svg { width: 100%; height: 7.5rem; overflow: visible; }
.marks { display: flex; flex-direction: column; justify-content: space-between; min-width: 3.25rem; margin: -.4rem 0; text-align: right; }
.times { grid-column: 2; display: flex; justify-content: space-between; margin-top: .2rem; }
.grid, .line { fill: none; vector-effect: non-scaling-stroke; }
.grid { stroke: var(--line); }
.line { stroke-width: 1.75; stroke-linejoin: round; stroke-linecap: round; }
.line-1 { stroke: var(--accent); }
.line-2 { stroke: var(--second); stroke-dasharray: 5 3; }
.line-3 { stroke: var(--quiet); stroke-dasharray: 1.5 3.5; }
summary { width: fit-content; margin-top: .4rem; color: var(--accent); font-size: .875rem; cursor: pointer; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 0 1.5rem; margin-top: 1.25rem; }
.acts, .search { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; }
.search { margin-top: 1.25rem; }
.search label { flex: 1 0 100%; }
.search input { flex: 1 1 14rem; width: auto; margin: 0; }
.button.plain { border-color: var(--field); background: transparent; color: var(--text); }
.button.plain:hover { border-color: currentcolor; background: var(--ground); }
.tag { color: var(--danger); font-size: .875rem; }
.small-button { min-height: 2rem; padding: .2rem .7rem; font-size: .875rem; white-space: nowrap; }
.states { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0 0 .75rem; padding: 0; list-style: none; }
.states > li { padding: .1rem .6rem; border-radius: 99px; font-size: .875rem; font-weight: 600; line-height: 1.6; }
${colorsOf('light')}
@media (prefers-color-scheme: dark) {
${colorsOf('dark')}
}
@media (max-width: 30rem) {
  body { padding: 1rem 0 0; background: var(--card); }
  .brand { padding: 0 1.25rem; margin-bottom: .25rem; }
  main { border-radius: 0; box-shadow: none; }
  code, .code { background: var(--ground); }
}
@media (forced-colors: active) {
  .message, main, .states > li { border: 1px solid; }
}
`;

/** A value that rises and falls. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">
<rect width="32" height="32" rx="8" fill="#0a6b5e"/>
<path d="M5 18h5l3.2-9 5.4 15 3-8.5H27" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`;

function colorsOf(scheme: 'light' | 'dark'): string {
  const rule = (state: StateName) => {
    const [ink, soft] = lookOf(state)[scheme];
    return `.is-${state} { background: ${soft}; color: ${ink}; }`;
  };
  return STATES.map(rule).join('\n');
}
