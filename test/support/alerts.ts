import type { Alert } from '../../src/notifications/delivery/alert';

/** What a delivery of a firing is about. */
export function alert(fields: Partial<Alert> = {}): Alert {
  return {
    firingId: 207,
    episodeId: 205,
    state: 'firing',
    reason: 'expression',
    resolvedBy: null,
    sensor: { id: 42, name: 'greenhouse', displayName: 'Temperature (°C)', dataType: 'float', dataStructure: '' },
    trigger: {
      ...{ id: 5, name: 'too warm', expression: 'sensor_data_value > 30', inactivity: null },
      ...{ timezone: 'UTC', severity: 'warning' },
    },
    value: '31.2',
    dateMs: 1_795_229_544_125,
    atMs: 1_795_229_544_800,
    variables: {
      last_triggered: 0,
      times_triggered: 1,
      last_sensor_data_value: '29.5',
      last_sensor_data_date: 1_795_229_484.5,
      sensor_data_value: '31.2',
      sensor_data_date: 1_795_229_544.125,
      current_time: 1_795_229_544.8,
    },
    isSample: false,
    ...fields,
  };
}
