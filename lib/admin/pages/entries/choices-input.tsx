// The values of a SET column as checkboxes. The form holds their text (shared/value-text.ts). A checkbox that is set adds its
// value at the end, because the order of a list is stored.

import { readValue, writeValue } from '../../../shared/value-text.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import type { Labeled } from '../../ui/field.tsx'
import { useBound } from '../../ui/use-form.ts'
import { InputGroup } from './input-group.tsx'

interface ChoicesInputProps extends Labeled {
  readonly name: string
  readonly values: readonly string[]
  readonly isReadOnly: boolean
}

export function ChoicesInput({ values, isReadOnly, ...props }: ChoicesInputProps) {
  const { t } = useTexts()
  const { name } = props
  const { value, fault, change } = useBound<string>(props, '')
  const chosen = listOf(value)
  return (
    <InputGroup {...props} class="choices-input" fault={fault}>
      {values.map((each) => (
        <Checkbox
          key={each}
          name={`${name}=${each}`}
          label={each === '' ? t.entries.emptyString : each}
          value={chosen.includes(each)}
          isDisabled={isReadOnly}
          onChange={(isSet) => {
            const others = chosen.filter((item) => item !== each)
            change(textOf(isSet ? [...others, each] : others))
          }}
        />
      ))}
    </InputGroup>
  )
}

function listOf(text: string): readonly string[] {
  const value = readValue('strings', text)
  return Array.isArray(value) ? value.map(String) : []
}

function textOf(values: readonly string[]): string {
  return values.length === 0 ? '' : writeValue('strings', values)
}
