// The expiry of a key: in some days, on a date, or never.

import { useTexts } from '../../texts/use-texts.ts'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useBound } from '../../ui/use-form.ts'
import { NEVER } from './key.ts'

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
