// role: a named set of grants, which users can have like one of the four fixed roles.

import { GRANTS, isRole } from '../shared/grants.ts'
import { checkGrants } from './api-key.ts'
import { string, structure } from './field.ts'
import { foldName, NAME_PATTERN, nameFault } from './names.ts'
import { defineObject, type RecordOf } from './object.ts'

export const role = defineObject({
  name: 'role',
  label: 'role',
  description:
    'A named set of grants that users can have, everywhere or in folders, in addition to the fixed roles viewer, stager, editor and admin. ' +
    'A change applies to all users with the role at their next request. Reading roles needs the admin grant, and changing them every grant on the whole site.',
  example: {
    create: { name: 'translator', grants: ['view', 'modify'] },
    update: { description: 'Translates pages, but may not delete them.' },
    record: { role_id: 1 },
  },
  fields: {
    name: string('required', {
      description:
        'Unique name; case is ignored. Users who have the role keep it under its new name.',
      shownPattern: NAME_PATTERN,
      check: (name) => (isRole(foldName(name)) ? 'is the name of a fixed role' : nameFault(name)),
    }),
    description: string('optional', { description: 'What the role is for.', isIndexed: false }),
    grants: structure(
      'required',
      { type: 'array', items: { type: 'string', enum: GRANTS } },
      checkGrants,
      { description: 'The grants of users with this role. modify includes create.' },
    ),
  },
  indexes: [{ name: 'by_name', width: 1, rows: (record) => [[foldName(String(record['name']))]] }],
})

export type OwnRole = RecordOf<typeof role>
