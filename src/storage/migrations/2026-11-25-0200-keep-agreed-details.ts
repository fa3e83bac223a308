import type { Migration } from './migration';

/** The details that a group may ask for: the group's column is `required_show_…`. */
const DETAILS = ['first_name', 'surname', 'email', 'phone_number', 'username', 'id', 'zipcode', 'address', 'country'];

const ALL = DETAILS.map((detail) => `m.agreed_${detail} = g.required_show_${detail}`).join(', ');

/** What members agreed to show by joining: for existing ones, what their group asks for now, which they have been showing. */
export const keepAgreedDetails: Migration = {
  name: '2026-11-25-0200-keep-agreed-details',
  up: async (schema) => {
    for (const detail of DETAILS) {
      await schema.addColumn('group_users', `agreed_${detail}`, 'BOOLEAN NOT NULL DEFAULT FALSE');
    }
    await schema.changeRows(
      `UPDATE group_users m JOIN user_groups g ON g.id = m.group_id SET ${ALL} WHERE g.anonymous = FALSE`,
    );
  },
  down: async (schema) => {
    for (const detail of [...DETAILS].reverse()) await schema.dropColumn('group_users', `agreed_${detail}`);
  },
};
