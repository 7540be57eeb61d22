// The permissions of a key: all of its user, the grants of a role, or a custom set, each with an explanation.
//
//   <GrantsField name="grants" offered={GRANTS} />

import { type Grant, GRANTS, ROLE_NAMES, ROLES } from '../../../shared/grants.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useBound } from '../../ui/use-form.ts'
import { ALL, grantsOf, NEVER, textOfGrants } from './key.ts'

interface GrantsFieldProps {
  readonly name: string
  /** Grants that the user may give. */
  readonly offered: readonly Grant[]
}

const OWN = 'own'

export function GrantsField({ name, offered }: GrantsFieldProps) {
  const { t } = useTexts()
  const { value, change } = useBound<string>({ name }, ALL)
  const { value: folder } = useBound<string>({ name: 'asset_category_id' }, '')
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
        hint={hintOf(grants, { t, isEverywhere: folder === '' })}
        options={[
          { value: ALL, text: t.keys.grantsAll },
          ...roles.map((each) => ({ value: each, text: t.keys.grantsOfRole[each] })),
          { value: OWN, text: t.keys.grantsOwn },
        ]}
      />
      {grants !== null && <GrantBoxes grants={grants} offered={offered} onChange={change} />}
    </div>
  )
}

interface GrantBoxesProps {
  readonly grants: readonly Grant[]
  readonly offered: readonly Grant[]
  /** Gets the grants as text. */
  readonly onChange: (grants: string) => void
}

/** A checkbox for each grant, with an explanation. */
export function GrantBoxes({ grants, offered, onChange }: GrantBoxesProps) {
  const { t } = useTexts()
  const put = (grant: Grant, isHeld: boolean): void =>
    onChange(textOfGrants(isHeld ? [...grants, grant] : grants.filter((each) => each !== grant)))
  return (
    <fieldset class="grants-list">
      <legend class="unseen">{t.keys.grants}</legend>
      {offered.map((grant) => (
        <Checkbox
          key={grant}
          name={`grant-${grant}`}
          label={t.keys.grantNames[grant]}
          hint={t.keys.grantTexts[grant]}
          value={grants.includes(grant)}
          onChange={(isHeld) => put(grant, isHeld)}
        />
      ))}
    </fieldset>
  )
}

/** A key for a folder has no grants outside of folders. */
function hintOf(
  grants: readonly Grant[] | null,
  { t, isEverywhere }: { readonly t: Speech['t']; readonly isEverywhere: boolean },
): string | undefined {
  if (grants === null) return t.keys.grantsAllHint
  if (!isEverywhere || !grants.includes('admin')) return undefined
  return GRANTS.every((grant) => grants.includes(grant))
    ? t.keys.grantsEverything
    : t.keys.grantsAdminister
}

/** The expiry of a key: in some days, on a date, or never. */
const ON_DAY = 'day'
const DAYS = ['30', '90', '365'] as const

/** `present` is the current expiry of the key. */
export function ExpiryField({
  name,
  present,
}: {
  readonly name: string
  readonly present?: string
}) {
  const { t, formats } = useTexts()
  const { value, change } = useBound<string>({ name }, NEVER)
  const isKnown = value === NEVER || value === present || DAYS.some((days) => days === value)
  return (
    <div class="expiry-field">
      <Select
        name={isKnown ? name : `${name}-kind`}
        label={t.keys.expires}
        value={isKnown ? value : ON_DAY}
        onChange={(next) => change(next === ON_DAY ? tomorrow() : next)}
        hint={value === NEVER ? t.keys.neverHint : undefined}
        options={[
          ...(present === undefined || present === NEVER
            ? []
            : [{ value: present, text: formats.dateTime(new Date(present)) }]),
          ...DAYS.map((days) => ({ value: days, text: t.keys.expiresIn[`days${days}`] })),
          { value: ON_DAY, text: t.keys.expiresOn },
          { value: NEVER, text: t.keys.never },
        ]}
      />
      {!isKnown && (
        <TextInput
          name={name}
          label={t.keys.expiryDay}
          hint={t.keys.expiryDayHint}
          type="date"
          value={value}
          onChange={change}
          isRequired
        />
      )}
    </div>
  )
}

/** In the format of date fields, in the reader's time zone. */
function tomorrow(): string {
  const day = new Date()
  day.setDate(day.getDate() + 1)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
