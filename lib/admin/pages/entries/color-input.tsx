// A color as text, and the color picker of the browser beside the text. The picker knows only #rrggbb; the text also takes
// the short form and an opacity, which the picker would lose.

import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Field, type Labeled } from '../../ui/field.tsx'
import { useBound } from '../../ui/use-form.ts'

interface ColorInputProps extends Labeled {
  readonly name: string
  readonly isReadOnly: boolean
}

export function ColorInput(props: ColorInputProps) {
  const { t } = useTexts()
  const { value, fault, change } = useBound<string>(props, '')
  return (
    <Field {...props} fault={fault}>
      {({ id, describedBy, isInvalid }) => (
        <div class="color-input">
          <input
            id={id}
            name={props.name}
            class="input"
            type="text"
            maxLength={9}
            autoComplete="off"
            spellcheck={false}
            readOnly={props.isReadOnly}
            value={value}
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            onInput={({ currentTarget }) => change(currentTarget.value)}
          />
          <input
            class="color-picker"
            type="color"
            aria-label={fill(t.entries.form.pickColor, { name: props.label })}
            disabled={props.isReadOnly}
            value={pickable(value)}
            onInput={({ currentTarget }) => change(currentTarget.value)}
          />
        </div>
      )}
    </Field>
  )
}

/** The color without its opacity as #rrggbb; black for any other text. */
function pickable(text: string): string {
  const [, short, long] =
    /^#(?:([\da-f]{3})[\da-f]?|([\da-f]{6})(?:[\da-f]{2})?)$/i.exec(text) ?? []
  if (short !== undefined) return `#${[...short].map((digit) => digit + digit).join('')}`
  return long === undefined ? '#000000' : `#${long}`
}
