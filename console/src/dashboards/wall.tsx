import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatShort } from '../format';
import { t } from '../language';
import { chooseTheme, usePaintedTheme } from '../theme';
import { useOnline } from '../use-online';

/**
 * Whether a board fills the screen, from the beginning if its address asks for it, and a function that changes it. The
 * screen stays on meanwhile.
 */
export function useWall(isAsked: boolean): [isWall: boolean, show: (isWall: boolean) => void] {
  const [isWall, setWall] = useState(isAsked);
  useEffect(() => {
    if (!isWall) return;
    const leave = () => document.fullscreenElement || setWall(false);
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && setWall(false);
    const lock = navigator.wakeLock?.request('screen').catch(() => undefined); // refused while the battery is low
    document.addEventListener('fullscreenchange', leave);
    document.addEventListener('keydown', onKey);
    // Without the permission the board still covers the page.
    void document.documentElement.requestFullscreen?.().catch(() => undefined);
    return () => {
      document.removeEventListener('fullscreenchange', leave);
      document.removeEventListener('keydown', onKey);
      if (document.fullscreenElement) void document.exitFullscreen();
      void lock?.then((held) => held?.release());
    };
  }, [isWall]);
  return [isWall, setWall];
}

interface WallProps {
  name: string;
  isWall: boolean;
  onLeave: () => void;
  children: ComponentChildren;
}

/** A board in its page, or over the whole screen with its name and the time. */
export function Wall({ name, isWall, onLeave, children }: WallProps) {
  return (
    <div class={isWall ? 'wall' : ''}>
      {isWall && <WallHead name={name} onLeave={onLeave} />}
      {children}
    </div>
  );
}

function WallHead({ name, onLeave }: Pick<WallProps, 'name' | 'onLeave'>) {
  const online = useOnline();
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <header class="line spread">
      <h1>{name}</h1>
      <div class="line">
        {!online && (
          <span class="status warn" role="status">
            {t('offline')}
          </span>
        )}
        <span class="numbers">{formatShort(now / 1_000)}</span>
        <ThemeButton />
        <button type="button" class="button small-button" onClick={onLeave}>
          {t('Leave full screen')}
        </button>
      </div>
    </header>
  );
}

/** Switches between light and dark. */
export function ThemeButton() {
  const theme = usePaintedTheme();
  return (
    <button type="button" class="button small-button" onClick={() => chooseTheme(theme === 'dark' ? 'light' : 'dark')}>
      {theme === 'dark' ? t('Light') : t('Dark')}
    </button>
  );
}
