// Chooses all names, or some of them.

import { Checkbox } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import { useBound } from '../../ui/use-form.ts'
import { ALL, chosenOf } from './webhook.ts'

export interface ChoiceFieldProps<T extends string> {
  readonly name: string
  readonly label: string
  readonly all: string
  readonly some: string
  readonly known: readonly T[]
  readonly texts: Readonly<Record<T, string>>
}

const SOME = 'some'

export function ChoiceField<T extends string>(props: ChoiceFieldProps<T>) {
  const { name, label, all, some, known, texts } = props
  const { value, change, fault } = useBound<string>({ name }, ALL)
  const chosen = chosenOf(known, value)
  return (
    <div class="grants-field">
      <Select
        name={name}
        label={label}
        value={chosen === null ? ALL : SOME}
        fault={fault}
        onChange={(next) => change(next === ALL ? ALL : '')}
        options={[
          { value: ALL, text: all },
          { value: SOME, text: some },
        ]}
      />
      {chosen !== null && (
        <fieldset class="grants-list choice-list">
          <legend class="unseen">{label}</legend>
          {known.map((each) => (
            <Checkbox
              key={each}
              name={`${name}-${each}`}
              label={texts[each]}
              value={chosen.includes(each)}
              onChange={(isChosen) =>
                change(
                  known
                    .filter((other) => (other === each ? isChosen : chosen.includes(other)))
                    .join(','),
                )
              }
            />
          ))}
        </fieldset>
      )}
    </div>
  )
}
