import assert from 'node:assert/strict';
import { missingRights } from '../../../src/storage/sensor-visibility';

const ALL = 'SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP, REFERENCES';

describe('the rights of the user of MySQL', () => {
  it('may be granted for all databases, for this one, for a pattern, and in parts', () => {
    for (const grants of [
      ["GRANT ALL PRIVILEGES ON *.* TO `u`@`%` IDENTIFIED BY PASSWORD '*1' WITH GRANT OPTION"],
      ['GRANT USAGE ON *.* TO `u`@`%`', 'GRANT ALL PRIVILEGES ON `sensor_data`.* TO `u`@`%`'],
      ['GRANT USAGE ON *.* TO `u`@`%`', 'GRANT ALL PRIVILEGES ON `sensor\\_data`.* TO `u`@`%`'],
      ['GRANT ALL PRIVILEGES ON `sensor%`.* TO `u`@`%`'],
      ['GRANT SELECT, INSERT ON *.* TO `u`@`%`', `GRANT ${ALL} ON \`sensor_data\`.* TO \`u\`@\`%\``],
    ]) {
      assert.deepEqual(missingRights(grants, 'sensor_data'), [], grants.join());
    }
  });

  it('are missing when they are for another database or for single tables', () => {
    assert.deepEqual(missingRights(['GRANT ALL PRIVILEGES ON `sensor\\_data`.* TO `u`@`%`'], 'sensorXdata').length, 9);
    assert.deepEqual(missingRights(['GRANT ALL PRIVILEGES ON `sensors`.`users` TO `u`@`%`'], 'sensors').length, 9);
    assert.deepEqual(missingRights(['GRANT SELECT, INSERT, UPDATE, DELETE ON *.* TO `u`@`%`'], 'sensors'), [
      'CREATE',
      'ALTER',
      'INDEX',
      'DROP',
      'REFERENCES',
    ]);
  });

  it('are taken as there when they may come from a role', () => {
    assert.deepEqual(missingRights(['GRANT USAGE ON *.* TO `u`@`%`', 'GRANT `writers`@`%` TO `u`@`%`'], 'sensors'), []);
  });
});
