import { useMemo, useState } from 'preact/hooks';
import type { Plane } from './geometry';
import { type MapSource, tilesOf } from './map';

/** Finer than most screens show the plane. */
const PIXELS = 640;

/** The map behind a plane, and its attribution. */
export function Tiles({ source, plane }: { source: MapSource; plane: Plane }) {
  const tiles = useMemo(() => tilesOf(source, plane, PIXELS), [source, plane]);
  return (
    <>
      <div class="tiles" aria-hidden="true">
        {tiles.map((tile) => (
          <TileImage key={tile.address} {...tile} />
        ))}
      </div>
      <p class="attribution">
        {source.attribution.split(/(https?:\/\/\S+)/).map((part, at) =>
          at % 2 === 0 ? (
            part
          ) : (
            <a key={part} href={part} target="_blank" rel="noreferrer">
              {part.replace(/^https?:\/\//, '')}
            </a>
          ),
        )}
      </p>
    </>
  );
}

function TileImage({ address, left, top, width, height }: ReturnType<typeof tilesOf>[number]) {
  const [isMissing, setMissing] = useState(false);
  if (isMissing) return null;
  const percent = (part: number) => `${part * 100}%`;
  return (
    <img
      src={address}
      alt=""
      draggable={false}
      // Map providers require the origin of the page; nothing else is sent.
      referrerpolicy="origin"
      style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }}
      onError={() => setMissing(true)}
    />
  );
}
