// The inputs of a filter by place.

import { useTexts } from '../../texts/use-texts.ts'
import type { Condition } from './conditions.ts'

interface PlaceInputsProps {
  readonly condition: Condition
  readonly onChange: (condition: Condition) => void
}

/** A place and its distance in kilometers, or the corners of a box. */
export function PlaceInputs({ condition, onChange }: PlaceInputsProps) {
  const { filter: words } = useTexts().t.entries
  const [first, second] = condition.operator === 'near' ? words.near : words.within
  const inputs = [
    { label: first, name: 'value', text: condition.value },
    { label: second, name: 'upTo', text: condition.upTo },
  ] as const
  return (
    <>
      {inputs.map(({ label, name, text }) => (
        <input
          key={name}
          class="input"
          aria-label={label}
          placeholder={label}
          title={label}
          autoComplete="off"
          value={text}
          onInput={({ currentTarget }) => onChange({ ...condition, [name]: currentTarget.value })}
        />
      ))}
    </>
  )
}
