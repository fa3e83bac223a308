import { render } from 'preact';
import { App } from './app';
import { registerServiceWorker } from './service-worker';
import { findSession } from './session';
import './styles/index.css';
import { applyTheme } from './theme';

applyTheme();
void findSession();
registerServiceWorker();
const place = document.getElementById('app');
if (place) render(<App />, place);
