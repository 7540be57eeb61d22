// Chooses all of the known names, or some of them.
//
//   <ChoiceField name="actions" label={…} all={…} some={…} known={CHANGE_ACTIONS} texts={t.webhooks.actions} />

import { Checkbox } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import { useBound } from '../../ui/use-form.ts'

/** The value of the field for all names. No name of a column is the same. Other values are names separated by commas. */
export const ALL = '*'

const SOME = 'some'

interface ChoiceFieldProps<T extends string> {
  readonly name: string
  readonly label: string
  readonly all: string
  /** Explains the choice of all names. */
  readonly allHint?: string
  readonly some: string
  readonly known: readonly T[]
  readonly texts: Readonly<Partial<Record<T, string>>>
}

export function ChoiceField<T extends string>(props: ChoiceFieldProps<T>) {
  const { name, label, all, allHint, some, known, texts } = props
  const { value, change, fault } = useBound<string>({ name }, ALL)
  const chosen = chosenOf(known, value)
  return (
    <div class="grants-field">
      <Select
        name={name}
        label={label}
        hint={chosen === null ? allHint : undefined}
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
              label={texts[each] ?? each}
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

/** Null for all. */
export function chosenOf<T extends string>(known: readonly T[], text: string): T[] | null {
  if (text === ALL) return null
  const chosen = new Set(text.split(','))
  return known.filter((each) => chosen.has(each))
}
