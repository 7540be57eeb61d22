// The editor of a cell that refers to one record: a combobox that searches while the user types. The draft holds the
// identifier, or the typed text while nothing is chosen. Keys that save the cell are handled around this field.

import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { useApi } from '../../../client/client-context.ts'
import type { References } from '../../../client/references.ts'
import { useTexts } from '../../../texts/use-texts.ts'
import { PickerOptions } from '../../../ui/picker.tsx'
import { openReferenceTarget, type Referenced, type ReferenceTarget } from '../reference-target.ts'

interface ReferenceCellProps {
  readonly references: References
  readonly text: string
  readonly label: string
  readonly isInvalid: boolean
  readonly describedBy: string | undefined
  readonly onType: (text: string) => void
  /** Saves the cell after a record was clicked. */
  readonly onChoose: () => void
}

const ID = /^#?([1-9]\d{0,14})$/

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

export function ReferenceCell(props: ReferenceCellProps) {
  const { label, isInvalid, describedBy, onType, onChoose } = props
  const { t } = useTexts()
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const { typed, type, title, options, active, onKey } = useSearch(props)
  return (
    <>
      <input
        ref={input}
        class="input cell-input"
        type="text"
        role="combobox"
        aria-label={label}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        aria-expanded={!isInvalid}
        aria-controls={isInvalid ? undefined : listId}
        aria-autocomplete="list"
        aria-activedescendant={options[active] === undefined ? undefined : `${listId}-${active}`}
        autoComplete="off"
        spellcheck={false}
        placeholder={title ?? t.entries.form.searchReference}
        value={typed}
        onKeyDown={onKey}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
      {!isInvalid && (
        <PickerOptions
          id={listId}
          label={label}
          field={input}
          options={options}
          active={active}
          onTake={({ value }) => {
            onType(value)
            onChoose()
          }}
        />
      )}
    </>
  )
}

function useSearch({ references, text, onType }: ReferenceCellProps) {
  const api = useApi()
  const target = useMemo(() => openReferenceTarget(api, references), [api, references])
  // The cell began with a typed letter, or with the identifier of its record.
  const [typed, setTyped] = useState(ID.test(text) ? '' : text)
  const [active, setActive] = useState(typed === '' ? -1 : 0)
  const title = useTitle(target, text)
  const options = useRecords(target, typed).map((record) => ({
    value: String(record.id),
    text: record.title === '' ? `#${record.id}` : record.title,
    note: `#${record.id}`,
  }))

  function type(value: string): void {
    setTyped(value)
    setActive(value === '' ? -1 : 0)
    onType(value.replace(ID, '$1'))
  }

  function onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (step !== undefined) {
      event.preventDefault()
      // From no option, the keys go to the first and the last one.
      const from = active < 0 && step < 0 ? 0 : active
      if (options.length > 0) setActive((from + step + options.length) % options.length)
    }
    const chosen = options[active]
    // A typed number is an identifier.
    if ((event.key === 'Enter' || event.key === 'Tab') && !ID.test(typed) && chosen !== undefined)
      onType(chosen.value)
  }

  return { typed, type, title, options, active, onKey }
}

/** The title of the record that the cell had at first. */
function useTitle(target: ReferenceTarget, text: string): string | undefined {
  const [title, setTitle] = useState<string>()
  useEffect(() => {
    const id = Number(text)
    if (!ID.test(text)) return
    target.read([id]).then(
      (records) => setTitle(records.get(id)?.title),
      // The placeholder stays.
      () => undefined,
    )
  }, [])
  return title
}

/** Debounce interval for keystrokes. */
const PAUSE_MS = 120

function useRecords(target: ReferenceTarget, typed: string): readonly Referenced[] {
  const [found, setFound] = useState<readonly Referenced[]>([])
  useEffect(() => {
    const gone = new AbortController()
    // Results of an earlier text must not be taken.
    setFound([])
    const timer = setTimeout(
      () =>
        void target.find(typed.trim(), gone.signal).then(
          (records) => !gone.signal.aborted && setFound(records),
          () => undefined,
        ),
      typed === '' ? 0 : PAUSE_MS,
    )
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [target, typed])
  return found
}
