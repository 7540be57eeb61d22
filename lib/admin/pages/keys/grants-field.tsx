// The permissions of a key: all of its user, the grants of a role, or a custom set, each with an explanation.
//
//   <GrantsField name="grants" offered={GRANTS} />

import type { Grant } from '../../../shared/grants.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import { useBound } from '../../ui/use-form.ts'
import { ROLE_NAMES, ROLES } from '../../../shared/grants.ts'
import { ALL, grantsOf, textOfGrants } from './key.ts'

export interface GrantsFieldProps {
  readonly name: string
  /** Grants that the user may give. */
  readonly offered: readonly Grant[]
}

const OWN = 'own'

export function GrantsField({ name, offered }: GrantsFieldProps) {
  const { t } = useTexts()
  const { value, change } = useBound<string>({ name }, ALL)
  const grants = grantsOf(value)
  const roles = ROLE_NAMES.filter((role) => ROLES[role].every((grant) => offered.includes(grant)))
  const role = roles.find((each) => textOfGrants(ROLES[each]) === value)
  const preset = grants === null ? ALL : (role ?? OWN)

  function choose(next: string): void {
    if (next === ALL) return change(ALL)
    const known = roles.find((each) => each === next)
    change(textOfGrants(known === undefined ? [] : ROLES[known]))
  }

  return (
    <div class="grants-field">
      <Select
        name={name}
        label={t.keys.grants}
        value={preset}
        onChange={choose}
        hint={grants === null ? t.keys.grantsAllHint : undefined}
        options={[
          { value: ALL, text: t.keys.grantsAll },
          ...roles.map((each) => ({ value: each, text: t.keys.grantsOfRole[each] })),
          { value: OWN, text: t.keys.grantsOwn },
        ]}
      />
      {grants !== null && (
        <fieldset class="grants-list">
          <legend class="unseen">{t.keys.grants}</legend>
          {offered.map((grant) => (
            <Checkbox
              key={grant}
              name={`grant-${grant}`}
              label={t.keys.grantNames[grant]}
              hint={t.keys.grantTexts[grant]}
              value={grants.includes(grant)}
              onChange={(isHeld) =>
                change(
                  textOfGrants(
                    isHeld ? [...grants, grant] : grants.filter((each) => each !== grant),
                  ),
                )
              }
            />
          ))}
        </fieldset>
      )}
    </div>
  )
}
