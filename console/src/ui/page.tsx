import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api';
import { t } from '../language';
import { href, takeMove } from '../router';
import type { Resource } from '../use-resource';

interface PageProps {
  title: string;
  crumb?: { path: string; name: string };
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/**
 * A page. Its title is the document's title, and gets the focus when the page opens, so that screen readers announce
 * it.
 */
export function Page({ title, crumb, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${t('Sensor data platform')}`;
  }, [title]);
  // After a navigation inside the console, screen readers and the keyboard continue here.
  useEffect(() => {
    if (takeMove()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div class="page">
      <header class="head">
        <div>
          {crumb && (
            <p class="crumb">
              <a href={href(crumb.path)}>← {crumb.name}</a>
            </p>
          )}
          <h1 ref={heading} tabIndex={-1} id="title">
            {title}
          </h1>
          {lead && <div class="quiet">{lead}</div>}
        </div>
        {actions && <Actions>{actions}</Actions>}
      </header>
      {children}
    </div>
  );
}

/** The buttons of a page. A phone shows one line of them; a button at its end opens the others. */
function Actions({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const [isLong, setLong] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const buttons = () => element.querySelectorAll<HTMLElement>('.button:not(.more, dialog *)');
    const measure = () => setLong([...buttons()].some(({ offsetTop, offsetHeight }) => offsetTop >= offsetHeight));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  });
  return (
    <div ref={place} class={`actions ${isLong ? 'is-long' : ''} ${isOpen ? 'is-open' : ''}`}>
      {children}
      <button
        type="button"
        class="button more"
        aria-expanded={isOpen}
        aria-label={t('More')}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
    </div>
  );
}

/** A part of a page. */
export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="section">
      <div class="section-head">
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** A part of a page that is made when it is opened. */
export function Folded({ title, children }: { title: string; children: () => ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="more" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}

/** The message of an empty list: its meaning, and how to fill it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Shows loaded data; otherwise that it is loading, or the error. */
export function Loaded<T>({ resource, children }: { resource: Resource<T>; children: (data: T) => ComponentChildren }) {
  const { data, error, reload } = resource;
  if (data !== undefined) {
    return (
      <>
        {error !== undefined && <Problem error={error} />}
        {children(data)}
      </>
    );
  }
  if (error !== undefined) return <Problem error={error} retry={reload} />;
  return <Loading />;
}

/** Shows its content once each resource has data or an error, so that parts that follow each other do not move. */
export function Together({ of, children }: { of: readonly Resource<unknown>[]; children: ComponentChildren }) {
  const isKnown = of.every(({ data, error }) => data !== undefined || error !== undefined);
  return isKnown ? children : <Loading />;
}

export function Loading() {
  return (
    <div class="loading" role="status">
      <span>{t('Loading …')}</span>
    </div>
  );
}

/** An error, with a button to try again where it helps. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div class="message error line spread" role="alert">
      <span class="breakable">{messageOf(error)}</span>
      {retry && (
        <button type="button" class="button small-button" onClick={retry}>
          {t('Try again')}
        </button>
      )}
    </div>
  );
}

/** An address, which breaks before its separators rather than within a word. */
export function Breaks({ text }: { text: string }) {
  return <>{text.split(/(?=[@./?&])/).flatMap((part, at) => (at === 0 ? part : [<wbr key={at} />, part]))}</>;
}

/** A state in a word, with a colour that repeats it. */
export function Status({ kind, children }: { kind?: 'good' | 'bad' | 'warn'; children: ComponentChildren }) {
  return <span class={`status ${kind ?? ''}`}>{children}</span>;
}
