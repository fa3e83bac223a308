import { t } from '../../language';
import { go, href } from '../../router';
import { Action } from '../../ui/action';
import { DialogButton } from '../../ui/dialog';
import { Empty } from '../../ui/page';
import { NewSensor } from '../forms';
import { createSample } from './sample';

export function NewSensorButton({ text = t('New sensor'), kind = '' }: { text?: string; kind?: string }) {
  return (
    <DialogButton text={text} title={t('New sensor')} kind={kind}>
      {(close) => <NewSensor close={close} />}
    </DialogButton>
  );
}

/** The first page of a new user: three ways to begin. */
export function NoSensors() {
  return (
    <Empty title={t('No sensors yet')}>
      <p>{t('A sensor is a series of values with dates: a temperature, a position, a door that is open or closed.')}</p>
      <ul class="ways">
        <li>
          <h3>{t('Look around first')}</h3>
          <p class="quiet">
            {t('A greenhouse with a month of made-up temperatures. Delete it when you have seen enough.')}
          </p>
          <Action kind="primary" act={async () => go(`/sensors/${await createSample()}`)}>
            {t('Try it with sample data')}
          </Action>
        </li>
        <li>
          <h3>{t('Bring your own data')}</h3>
          <p class="quiet">{t('A CSV file with a date and a value in each line is enough.')}</p>
          <NewSensorButton text={t('Create the first sensor')} />
        </li>
        <li>
          <h3>{t('Connect a device')}</h3>
          <p class="quiet">
            {t(
              'A program, an agent, a LoRaWAN server, a weather station: get the settings, and see the values as they arrive.',
            )}
          </p>
          <a class="button" href={href('/connect')}>
            {t('Connect a device')}
          </a>
        </li>
      </ul>
    </Empty>
  );
}
