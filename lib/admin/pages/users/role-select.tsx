// Selects a role, with a sentence about its permissions.

import { useTexts } from '../../texts/use-texts.ts'
import type { Labelled } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { type Bound, useBound } from '../../ui/use-form.ts'
import { ROLE_NAMES } from '../../../shared/grants.ts'
import { roleOf } from './user.ts'

export function RoleSelect(
  props: Bound<string> & Pick<Labelled, 'label'> & { readonly isBrief?: boolean },
) {
  const { t } = useTexts()
  const { value, change } = useBound(props, '')
  const role = roleOf(value)
  return (
    <Select
      name={props.name}
      label={props.label}
      value={value}
      onChange={change}
      hint={
        props.isBrief === true
          ? undefined
          : role === null
            ? t.users.roleTexts.none
            : t.users.roleTexts[role]
      }
      options={[
        ...ROLE_NAMES.map((each) => ({ value: each, text: t.users.roles[each] })),
        { value: '', text: t.users.roles.none },
      ]}
    />
  )
}
