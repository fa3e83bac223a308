import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../language';
import { textOf } from '../../ui/form';
import { ChannelPicture } from './channel-picture';
import { type Channel, findChannels, GROUPS } from './channels';

/** All channels as a grid with a search field. Enter takes the first match; the arrow keys move. */
export function ChannelGrid({
  channels,
  onChannel,
}: {
  channels: readonly Channel[];
  onChannel: (channel: Channel) => void;
}) {
  const [text, setText] = useState('');
  const place = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The channels may come late: a user who is elsewhere by then stays there.
    if (!document.activeElement?.matches('a, button, input')) search.current?.focus({ preventScroll: true });
  }, []);
  const found = findChannels(channels, text);
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || (event.target === search.current && event.key !== 'ArrowDown')) return;
    const tiles = [...(place.current?.querySelectorAll<HTMLElement>('.channel') ?? [])];
    const at = tiles.indexOf(document.activeElement as HTMLElement); // -1 for any other element
    const next = at < 0 ? 0 : at + step;
    event.preventDefault();
    (tiles[next] ?? (next < 0 ? search.current : tiles.at(-1)))?.focus();
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (found[0]) onChannel(found[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys are in addition to Tab
    <div class="stack" ref={place} onKeyDown={onKey}>
      <form onSubmit={onSubmit}>
        <input
          ref={search}
          class="input search"
          type="search"
          aria-label={t('Find a channel')}
          placeholder={t('Find a channel')}
          value={text}
          onInput={(event) => setText(textOf(event))}
        />
      </form>
      {found.length === 0 && (
        <p class="quiet" role="status">
          {t('No channel has this name. “Any URL” reaches every receiver that accepts HTTP.')}
        </p>
      )}
      {GROUPS.map((group) => {
        const own = found.filter((channel) => channel.group === group);
        return own.length > 0 && <GroupOfChannels key={group} title={t(group)} channels={own} onChannel={onChannel} />;
      })}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

function GroupOfChannels({
  title,
  channels,
  onChannel,
}: {
  title: string;
  channels: readonly Channel[];
  onChannel: (channel: Channel) => void;
}) {
  return (
    <section class="stack tight">
      <h2 class="label">{title}</h2>
      <div class="channel-grid">
        {channels.map((channel) => (
          <button key={channel.name} type="button" class="channel" onClick={() => onChannel(channel)}>
            <ChannelPicture {...channel} />
            {channel.title}
          </button>
        ))}
      </div>
    </section>
  );
}
