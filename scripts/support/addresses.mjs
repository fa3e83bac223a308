/**
 * The lines that `npm start` prints once the platform is up: its addresses, the API's last. The password of the board
 * is printed only if this start created it.
 */
export function addressLines(address, { madeBoardPassword, boardUser, metricsToken }) {
  const board = madeBoardPassword ? [`board  ${address}/admin/queues  ${boardUser} / ${madeBoardPassword}`] : [];
  const metrics = `metrics  ${address}/metrics${metricsToken ? '  with METRICS_TOKEN' : ''}`;
  return [...board, metrics, `ready  ${address}`];
}
