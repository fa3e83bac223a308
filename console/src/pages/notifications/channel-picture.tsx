const COLOURS = 6;

const DRAWINGS: Readonly<Record<string, string>> = {
  email: 'M3 5h18v14H3z M3 6l9 7 9-7',
  url: 'M9 4c-3 0-3 2-3 4s0 4-3 4c3 0 3 2 3 4s0 4 3 4 M15 4c3 0 3 2 3 4s0 4 3 4c-3 0-3 2-3 4s0 4-3 4',
  push: 'M3 5h18v14H3z M3 9h18 M6 7h.01 M9 7h.01',
};

/** A drawing of a channel: the first letter of a service, in a colour that its name decides. */
export function ChannelPicture({ name, title }: { name: string; title: string }) {
  const drawing = DRAWINGS[name];
  return (
    <span class={`channel-picture hue-${drawing ? 0 : hueOf(name)}`} aria-hidden="true">
      {drawing ? (
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <path d={drawing} />
        </svg>
      ) : (
        title.charAt(0)
      )}
    </span>
  );
}

function hueOf(name: string): number {
  return ([...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % (COLOURS - 1)) + 1;
}
