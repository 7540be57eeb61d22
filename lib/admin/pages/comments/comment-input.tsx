// The text of a comment. After an @, a list below the field offers users: arrow keys and Enter choose one, Escape closes
// the list.

import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { mentionOf } from '../../client/comments.ts'
import { usePeople } from '../../client/people.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Field } from '../../ui/field.tsx'
import { type PickerOption, PickerOptions } from '../../ui/picker.tsx'
import { useBound } from '../../ui/use-form.ts'

/** As on the server (lib/schema/comment.ts). */
const MOST_CHARACTERS = 4_000
const OFFERED = 6

interface CommentInputProps {
  readonly label: string
  readonly hint?: string
  readonly isFocused?: boolean
  /** Names that the user knows anyway: authors of comments here. */
  readonly known: readonly string[]
}

/** The beginning of a name behind an @, and where the @ is. */
interface Begun {
  readonly at: number
  readonly name: string
}

export function CommentInput({ label, hint, isFocused, known }: CommentInputProps) {
  const { t } = useTexts()
  const listId = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const { value, fault, change } = useBound<string>({ name: 'text' }, '')
  const { options, active, look, close, onKey, take } = useOffers({ box, known, change })
  const isOpen = options.length > 0
  useEffect(() => {
    if (isFocused === true) box.current?.focus()
  }, [])
  return (
    <Field label={label} hint={hint} fault={fault}>
      {({ id, describedBy, isInvalid }) => (
        <>
          <textarea
            ref={box}
            id={id}
            name="text"
            class="input"
            rows={3}
            required
            maxLength={MOST_CHARACTERS}
            value={value}
            aria-autocomplete="list"
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            onInput={({ currentTarget }) => {
              change(currentTarget.value)
              look()
            }}
            onKeyDown={onKey}
            onClick={look}
            onBlur={close}
          />
          {isOpen && (
            <PickerOptions
              id={listId}
              label={t.comments.people}
              field={box}
              options={options}
              active={active}
              onTake={take}
            />
          )}
        </>
      )}
    </Field>
  )
}

interface OffersInput {
  readonly box: { readonly current: HTMLTextAreaElement | null }
  readonly known: readonly string[]
  readonly change: (text: string) => void
}

function useOffers({ box, known, change }: OffersInput) {
  const [begun, setBegun] = useState<Begun>()
  const [active, setActive] = useState(0)
  const options = useUsers(begun?.name, known)
  const caret = useRef<number>()
  // The new text moves the caret to its end.
  useLayoutEffect(() => {
    if (caret.current === undefined) return
    box.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  })

  function look(): void {
    const { value = '', selectionEnd = 0 } = box.current ?? {}
    setBegun(begunIn(value.slice(0, selectionEnd)))
    setActive(0)
  }

  function take({ value: name }: PickerOption): void {
    const field = box.current
    if (begun === undefined || field === null) return
    const before = `${field.value.slice(0, begun.at)}${mentionOf(name)} `
    caret.current = before.length
    change(before + field.value.slice(field.selectionEnd))
    setBegun(undefined)
  }

  function onKey(event: KeyboardEvent): void {
    const isSend = event.ctrlKey || event.metaKey
    if (begun === undefined || options.length === 0 || isSend) return
    const step = STEPS[event.key]
    const chosen = options[active]
    if (step !== undefined) setActive((active + step + options.length) % options.length)
    else if (event.key === 'Escape') setBegun(undefined)
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) take(chosen)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return { options, active, look, close: () => setBegun(undefined), onKey, take }
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** An @ inside of a word, as in an email address, begins no name. */
function begunIn(before: string): Begun | undefined {
  const [all, name] = /(?<![\p{L}\p{N}._-])@"?([^\s"@]{0,50})$/u.exec(before) ?? []
  if (all === undefined || name === undefined) return undefined
  return { at: before.length - all.length, name }
}

/** People whose name or display name contains the text: authors of comments here, and people with whom the user works. */
function useUsers(text: string | undefined, known: readonly string[]): readonly PickerOption[] {
  const { all, find } = usePeople()
  if (text === undefined) return []
  const authors = known.map((name) => find({ name }) ?? { name, display_name: null })
  const offered = new Map<string, PickerOption>()
  for (const { name, display_name: shown } of [...authors, ...all]) {
    const isMeant = [name, shown].some((each) => each?.toLowerCase().includes(text.toLowerCase()))
    if (isMeant && offered.size < OFFERED) offered.set(name, optionOf(name, shown))
  }
  return [...offered.values()]
}

function optionOf(name: string, shown: string | null): PickerOption {
  return shown === null ? { value: name, text: name } : { value: name, text: shown, note: name }
}
