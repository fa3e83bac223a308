import { render } from 'preact';
import { loadLanguage } from './load-language';
import { registerServiceWorker } from './service-worker';
import { findSession } from './session';
import './styles/index.css';
import { applyTheme } from './theme';

applyTheme();
void findSession();
registerServiceWorker();
const place = document.getElementById('app');
if (place) void start(place);

/** Texts are translated when a file is loaded, so the language comes before the pages. */
async function start(element: HTMLElement): Promise<void> {
  await loadLanguage();
  const { App } = await import('./app');
  render(<App />, element);
}
