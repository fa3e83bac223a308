import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 5_000;
let show: (text: string) => void = () => {};

/** Shows a short message at the bottom of the window; screen readers announce it. */
export function say(text: string): void {
  show(text);
}

export function Toast() {
  const [text, setText] = useState('');
  useEffect(() => {
    show = setText;
  }, []);
  useEffect(() => {
    if (!text) return;
    const timer = setTimeout(() => setText(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <div aria-live="polite">{text && <div class="toast">{text}</div>}</div>;
}
