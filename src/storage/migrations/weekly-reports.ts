import type { Migration } from './migration';

/** Users choose a time of the week for a mail about their alerts. */
export const addWeeklyReports: Migration = {
  name: '2026-11-30-1010-add-weekly-reports',
  up: async (schema) => {
    await schema.addColumn('users', 'weekly_report_day', 'TINYINT UNSIGNED NULL');
    await schema.addColumn('users', 'weekly_report_hour', 'TINYINT UNSIGNED NULL');
    await schema.addColumn('users', 'weekly_report_due_ms', 'BIGINT NULL');
    await schema.addColumn('users', 'weekly_reported_ms', 'BIGINT NULL');
    await schema.addIndex('users', 'users_weekly_report_due', ['weekly_report_due_ms']);
  },
  down: async (schema) => {
    await schema.dropIndex('users', 'users_weekly_report_due');
    for (const column of ['weekly_reported_ms', 'weekly_report_due_ms', 'weekly_report_hour', 'weekly_report_day']) {
      await schema.dropColumn('users', column);
    }
  },
};
