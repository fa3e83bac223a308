import { useEffect, useRef, useState } from 'preact/hooks';
import { type Records, ROOT } from '../../api';
import { CopyButton } from '../../ui/copy';
import { Choices } from '../../ui/form';
import { Section } from '../../ui/page';
import { useNewKey } from './new-keys';
import { type Access, LANGUAGES, type Language, SNIPPETS } from './snippets';

interface PanelProps {
  sensor: Pick<Records['OwnedSensorView'], 'id'>;
  hasData: boolean;
}

/** The code for a device that uploads to a sensor, with the new key; empty if there is none. */
export function ConnectPanel(props: PanelProps) {
  const { secret, putAway } = useNewKey(props.sensor);
  return secret ? <Panel {...props} secret={secret} putAway={putAway} /> : null;
}

function Panel({ sensor, hasData, secret, putAway }: PanelProps & { secret: string; putAway: () => void }) {
  const [hadData] = useState(hasData);
  const place = useRef<HTMLDivElement>(null);
  // Below a chart it may be out of view.
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={place}>
      <Section
        title="Connect a device"
        actions={
          <button type="button" class="button small-button" onClick={putAway}>
            Done
          </button>
        }
      >
        <p role="status">
          <span class="live on">{progress(hadData, hasData)}</span>
        </p>
        <Programs access={{ api: ROOT.replace(/\/$/, ''), sensor: sensor.id, key: secret }} />
      </Section>
    </div>
  );
}

function progress(hadData: boolean, hasData: boolean): string {
  if (hadData) return 'Values appear in the chart as they arrive.';
  return hasData ? 'The first value has arrived.' : 'Listening … the first value appears here.';
}

function Programs({ access }: { access: Access }) {
  const [language, setLanguage] = useState<Language>('sh');
  const code = SNIPPETS[language](access);
  return (
    <>
      <div class="line">
        <span>Copy this key now. You will not see it again.</span>
        <code class="secret">{access.key}</code>
        <CopyButton text={access.key} label="Copy the key" />
      </div>
      <div class="line spread">
        <Choices<Language> label="Language" value={language} options={LANGUAGES} onValue={setLanguage} />
        <CopyButton text={code} label="Copy the code" />
      </div>
      <pre class="secret code">{code}</pre>
      {isThisComputer() && (
        <p class="small quiet">
          {window.location.hostname} is this computer. A device needs the address that this computer has in its network.
        </p>
      )}
    </>
  );
}

function isThisComputer(): boolean {
  return /^(localhost|127\.|\[::1\])/.test(window.location.hostname);
}
