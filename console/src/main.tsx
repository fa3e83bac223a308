import { render } from 'preact';
import { ROOT } from './api';
import { loadLanguage } from './load-language';
import { registerServiceWorker } from './service-worker';
import { findSession } from './session';
import './styles/index.css';
import { applyTheme } from './theme';

/** A public dashboard is shown without a session, and asks for none. */
const isPublic = window.location.href.startsWith(`${ROOT}console/public/`);

applyTheme();
if (!isPublic) {
  void findSession();
  registerServiceWorker();
}
const place = document.getElementById('app');
if (place) void start(place);

/** Texts are translated when a file is loaded, so the language comes before the pages. */
async function start(element: HTMLElement): Promise<void> {
  await loadLanguage();
  if (isPublic) {
    const { PublicPage } = await import('./public');
    return render(<PublicPage />, element);
  }
  const { App } = await import('./app');
  render(<App />, element);
}
