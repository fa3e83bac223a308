import { go, href } from '../../router';
import { Action } from '../../ui/action';
import { DialogButton } from '../../ui/dialog';
import { Empty } from '../../ui/page';
import { NewSensor } from './new-sensor';
import { createSample } from './sample';

/** The first page of a new user: three ways to begin. */
export function NoSensors() {
  return (
    <Empty title="No sensors yet">
      <p>A sensor is a series of values with dates: a temperature, a position, a door that is open or closed.</p>
      <ul class="ways">
        <li>
          <h3>Look around first</h3>
          <p class="quiet">A greenhouse with a month of made-up temperatures. Delete it when you have seen enough.</p>
          <Action kind="primary" act={async () => go(`/sensors/${await createSample()}`)}>
            Try it with sample data
          </Action>
        </li>
        <li>
          <h3>Bring your own data</h3>
          <p class="quiet">A CSV file with a date and a value in each line is enough.</p>
          <DialogButton text="Create the first sensor" title="New sensor">
            {(close) => <NewSensor close={close} />}
          </DialogButton>
        </li>
        <li>
          <h3>Connect a device</h3>
          <p class="quiet">
            A program, an agent, a LoRaWAN server, a weather station: get what to set up, and see the values as they
            arrive.
          </p>
          <a class="button" href={href('/connect')}>
            Connect a device
          </a>
        </li>
      </ul>
    </Empty>
  );
}
