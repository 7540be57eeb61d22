// A text field that underlines errors. An invisible copy of the text behind the field carries the marks and sets the
// height.

import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

export interface TextFault {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface SchemaTextFieldProps {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly faults: readonly TextFault[]
  readonly isReadOnly: boolean
}

export function SchemaTextField({ text, onChange, faults, isReadOnly }: SchemaTextFieldProps) {
  const { t } = useTexts()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [labelId, hintId, faultId] = [`${id}-label`, `${id}-hint`, `${id}-fault`]
  const isInvalid = faults.length > 0

  function show({ start, end }: TextFault): void {
    field.current?.focus()
    field.current?.setSelectionRange(start, end)
  }

  return (
    <div class="field schema-text">
      <label id={labelId} class="field-label" for={id}>
        {t.data.schemaText}
      </label>
      <div class="schema-text-frame">
        <pre class="schema-text-marks" aria-hidden="true">
          {marked(text, faults)}
          {'\n'}
        </pre>
        <textarea
          ref={field}
          id={id}
          class="input"
          name="table_schema"
          value={text}
          readOnly={isReadOnly}
          spellcheck={false}
          autocomplete="off"
          autoCapitalize="off"
          aria-describedby={isInvalid ? `${hintId} ${faultId}` : hintId}
          aria-invalid={isInvalid}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
      <p id={hintId} class="field-hint">
        {t.data.schemaTextHint}
      </p>
      <div id={faultId} role="status">
        {isInvalid && (
          <ul class="schema-faults" aria-label={t.data.faultsLabel}>
            {faults.map((fault) => (
              <li key={`${fault.start} ${fault.text}`} class="field-fault">
                <Icon name="alert" />
                <span>
                  {fill(t.data.inLine, { line: lineOf(text, fault.start) })} {fault.text}
                </span>
                <Button kind="quiet" onPress={() => show(fault)}>
                  {t.data.showFault}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

function marked(text: string, faults: readonly TextFault[]): ComponentChildren {
  const parts: ComponentChildren[] = []
  let at = 0
  for (const { start, end } of faults.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>)
    at = end
  }
  return [...parts, text.slice(at)]
}
