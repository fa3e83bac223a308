import { z } from 'zod';
import { bodyOf } from '../../edge/body-bytes';
import { days, end, id, page, pageOf, RULE, start, type Tool, tool } from './tool';

const MOST_ALERTS = 25;
const DOCUMENT = z.string().max(500_000).describe('A rule set in YAML or JSON, as export_rules returns one');

/** Alerts and rules. No tool changes a rule, an alert or a delivery. */
export const RULE_TOOLS: readonly Tool[] = [
  tool({
    name: 'list_alerts',
    title: 'List alerts',
    description: 'Alerts, the newest first: which rule fired on which sensor, when, and whether it lasts.',
    scope: 'read',
    input: {
      state: z.enum(['firing', 'resolved']).optional().describe('firing: only alerts that last; resolved: only ended'),
      sensor_id: id.optional(),
      trigger_id: id.optional(),
      search: z.string().max(255).optional().describe('A part of the name of the sensor or the rule'),
      ...{ start, end, page },
    },
    async run({ start: from, end: to, page: at = 0, ...query }, { call }) {
      const paged = { ...query, start_date: from, end_date: to, page: at, per_page: MOST_ALERTS };
      const { firings } = await call('listAllFirings', { query: { ...paged, repeats: 'false', sort: 'DESC' } });
      return pageOf(firings, at, MOST_ALERTS);
    },
  }),
  tool({
    name: 'explain_alert',
    title: 'Explain an alert',
    description: 'An alert, its rule, and the latest decisions on its sensor: why it fired, or why it did not.',
    scope: 'read',
    input: { alert_id: id },
    async run({ alert_id }, { call }) {
      const { firing } = await call('getFiring', { path: { id: alert_id } });
      const { sensor_id, trigger_id } = firing as Record<'sensor_id' | 'trigger_id', string>; // a view of the API
      const { decisions } = await call('listDecisions', { path: { id: sensor_id, trigger_id } });
      return { alert: firing, about_list: 'the latest decisions on each point, the newest first', list: decisions };
    },
  }),
  tool({
    name: 'list_rules',
    title: 'List rules',
    description: 'The triggers of the account: their conditions, and how long, how often and whom they notify.',
    scope: 'read',
    input: { page },
    async run({ page: at = 0 }, { call }) {
      const { triggers } = await call('listTriggers', { query: { page: at, per_page: MOST_ALERTS } });
      return pageOf(triggers, at, MOST_ALERTS);
    },
  }),
  tool({
    name: 'backtest_rule',
    title: 'Backtest a rule',
    description:
      'When a rule would have fired and whom it would have notified on stored data: a trigger as it is, or one with other fields (compared with the present ones).',
    scope: 'read',
    input: { trigger_id: id, sensor_ids: z.array(id).min(1).max(100), start: z.string(), end, ...RULE },
    async run({ trigger_id, sensor_ids, start: from, end: to, ...rule }, { call }) {
      const range = { sensor_ids, start_date: from, end_date: to };
      const path = { id: trigger_id };
      if (Object.values(rule).every((value) => value === undefined)) {
        return backtestOf(await call('backtestTrigger', { path, body: range }));
      }
      const { trigger } = await call('getTrigger', { path });
      const changed = { ...changeable(Object(trigger)), ...rule };
      return backtestOf(await call('backtestRule', { body: { ...range, trigger: changed, compare: trigger_id } }));
    },
  }),
  tool({
    name: 'report_alerts',
    title: 'Report on alerts',
    description: 'How many alerts each rule, sensor or notification had, at night, acknowledged, ended by themselves.',
    scope: 'read',
    input: { start: z.string(), end, by: z.enum(['trigger', 'sensor', 'notification']).optional(), page },
    async run({ start: from, end: to, by, page: at }, { call, timezone }) {
      const query = { start_date: from, end_date: to, by, page: at, per_page: MOST_ALERTS, timezone };
      const { rows, summary } = await call('reportAlerts', { query });
      return { summary, list: rows };
    },
  }),
  tool({
    name: 'suggest_changes',
    title: 'Suggest changes',
    description: 'Changes of the noisiest rules that would have sent fewer alerts, each with its backtest.',
    scope: 'read',
    input: { start: z.string(), end, trigger_id: id.optional() },
    async run({ start: from, end: to, trigger_id }, { call }) {
      const { suggestions, complete } = await call('suggestChanges', {
        query: { start_date: from, end_date: to, trigger_id },
      });
      return { complete, list: suggestions };
    },
  }),
  tool({
    name: 'export_rules',
    title: 'Export rules as text',
    description: 'Notifications, triggers and mutes as YAML: all of the account, or one rule set.',
    scope: 'read',
    input: { set: z.string().optional().describe('The name of a rule set') },
    async run({ set }, { call }) {
      const answer = set === undefined ? await call('exportRules') : await call('getRuleSet', { path: { set } });
      return { text: String(answer) };
    },
  }),
  tool({
    name: 'test_rules',
    title: 'Test rules',
    description: 'Runs the tests of a rule set. Changes and sends nothing.',
    scope: 'read',
    input: { document: DOCUMENT },
    async run({ document }, { call }) {
      const { tests, warning } = await call('testRules', { body: bodyOf(document) });
      return { warning, list: tests };
    },
  }),
  tool({
    name: 'plan_rules',
    title: 'Plan rules',
    description: 'What applying a rule set would change, and what its rules would have done on stored data.',
    scope: 'read',
    input: { document: DOCUMENT, days: days.optional().describe('Of stored data; 7 by default') },
    async run({ document, days: tried }, { call }) {
      const { plan } = await call('planRules', { query: { days: tried }, body: bodyOf(document) });
      const { changes, ...others } = Object(plan);
      return { ...others, list: changes };
    },
  }),
  tool({
    name: 'open_shadow',
    title: 'Try a rule as a shadow',
    description: 'Lets a changed rule decide on live data next to a trigger, for some days, without notifying anybody.',
    scope: 'rules:propose',
    input: { trigger_id: id, days: days.optional().describe('How long; 7 by default'), ...RULE },
    async run({ trigger_id, ...shadow }, { call }) {
      return call('beginShadow', { path: { id: trigger_id }, body: { shadow } });
    },
  }),
  tool({
    name: 'read_shadow',
    title: 'Read a shadow',
    description: 'What the shadow of a trigger has decided so far, compared with the trigger.',
    scope: 'read',
    input: { trigger_id: id },
    async run({ trigger_id }, { call }) {
      return call('getShadow', { path: { id: trigger_id } });
    },
  }),
  tool({
    name: 'close_shadow',
    title: 'Close a shadow',
    description: 'Ends the shadow of a trigger and forgets what it decided. The trigger stays as it is.',
    scope: 'rules:propose',
    input: { trigger_id: id },
    async run({ trigger_id }, { call }) {
      return call('deleteShadow', { path: { id: trigger_id } });
    },
  }),
];

/** The fields of a stored trigger that a backtest takes. */
function changeable(trigger: Record<string, unknown>): Record<string, unknown> {
  const names = ['name', 'timezone', 'notify_resolved', 'resolved_text', ...Object.keys(RULE)];
  return Object.fromEntries(names.flatMap((name) => (trigger[name] === null ? [] : [[name, trigger[name]]])));
}

function backtestOf({ backtest, warning }: Record<string, unknown>) {
  const { firings, deliveries: _texts, ...others } = Object(backtest);
  return { warning, ...others, list: firings };
}
