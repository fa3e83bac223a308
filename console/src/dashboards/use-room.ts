import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** The size of a place and of its text, in pixels; 0 until it is drawn. */
export interface Room {
  width: number;
  height: number;
  text: number;
}

/** Follows the size of the element that gets the reference. */
export function useRoom(): [place: RefObject<HTMLDivElement | null>, room: Room] {
  const place = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Room>({ width: 0, height: 0, text: 16 });
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      setRoom({ width, height, text: Number.parseFloat(getComputedStyle(element).fontSize) });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, room];
}
