// Prints the result, and its differences from the expected one.

/** Returns the differences, one sentence each; empty if everything arrived as expected. */
export function compare({ expected, firings, deliveries, received, inactivity }) {
  const problems = [];
  const byExpression = firings.filter((firing) => !firing.byInactivity);
  const key = ({ triggerId, date }) => `${triggerId} at ${date}`;
  const happened = byExpression.map(({ triggerId, variables }) => key({ triggerId, date: variables.sensor_data_date }));
  const wanted = expected.map(key);
  for (const one of wanted) if (!happened.includes(one)) problems.push(`no firing of trigger ${one}`);
  for (const one of happened) if (!wanted.includes(one)) problems.push(`an unexpected firing of trigger ${one}`);
  if (new Set(happened).size !== happened.length) problems.push('a trigger fired twice for one point');
  if (firings.length - byExpression.length !== (inactivity ? 1 : 0)) {
    problems.push('the inactivity trigger did not fire exactly once');
  }
  if (inactivity?.afterAtMost < 60) {
    problems.push(`the inactivity trigger fired early, after ${inactivity.afterAtMost} s`);
  }
  if (deliveries.length !== 2 * firings.length) {
    problems.push(`${deliveries.length} deliveries for ${firings.length} firings with two notifications each`);
  }
  const arrived = new Set(received.map(({ id }) => id));
  if (arrived.size !== firings.length) {
    problems.push(`the receiver got ${arrived.size} different notifications instead of ${firings.length}`);
  }
  return problems;
}

export function printReport({ points, uploadMs, firings, deliveries, received, inactivity, sentAt }, problems, tookMs) {
  console.log('\nfirings');
  for (const { name, sensorId, variables, byInactivity } of firings) {
    const what = byInactivity
      ? `no data for ${inactivity.afterAtLeast.toFixed(1)} to ${inactivity.afterAtMost.toFixed(1)} s`
      : `${describe(variables.sensor_data_value)} after ${describe(variables.last_sensor_data_value)}, ${new Date(
          variables.sensor_data_date * 1000,
        ).toISOString()}`;
    console.log(`  sensor ${sensorId}  ${name.padEnd(32)} ${what}`);
  }
  const emails = deliveries.filter((one) => one.type === 'email').length;
  const times = latencies(firings, received, sentAt);
  console.log(`
points       ${points} in ${(uploadMs / 1000).toFixed(2)} s of uploading: ${Math.round((points * 1000) / uploadMs)} points/s
firings      ${firings.length}
deliveries   ${deliveries.length}: ${deliveries.length - emails} by URL, ${emails} by email; ${received.length} requests received
time         from sending a point to its delivery: median ${at(times, 0.5)} ms, 99 % within ${at(times, 0.99)} ms
took         ${(tookMs / 1000).toFixed(1)} s
`);
  for (const problem of problems) console.log(`problem: ${problem}`);
  console.log(
    problems.length === 0 ? 'every expected notification arrived exactly once' : `${problems.length} problems`,
  );
}

/** Milliseconds from sending the request with the point to the arrival of the notification. */
function latencies(firings, received, sentAt) {
  const times = [];
  for (const { triggerId, sensorId, variables, byInactivity } of firings) {
    if (byInactivity) continue;
    const sent = sentAt.get(`${sensorId} ${variables.sensor_data_date}`);
    const arrival = received.find(
      ({ form, at: when, used }) =>
        !used && form.trigger_id === String(triggerId) && form.sensor_id === String(sensorId) && when >= sent,
    );
    if (!arrival) continue;
    arrival.used = true;
    times.push(arrival.at - sent);
  }
  return times.sort((a, b) => a - b);
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? '-';
}

function describe(value) {
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value);
}
