// Picks one of many options, which the server searches while the user types. Arrow keys and Enter choose a result,
// and Escape cancels. The value is the identifier as text; '' is none.
//
//   <Picker name="user_id" label={t.keys.user} find={findUsers} nameOf={userName} empty={t.keys.anybody} />
//
// find and nameOf may be new functions in every render.

import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import { Field, type FieldParts, type Labeled } from './field.tsx'
import { place } from './menu.tsx'
import { type Bound, useBound } from './use-form.ts'

export interface PickerOption {
  readonly value: string
  readonly text: string
  /** Tells apart options with the same text. */
  readonly note?: string
  /** A preview before the text. */
  readonly preview?: ComponentChildren
  /** Runs in place of a choice, for an option that is an action. */
  readonly run?: () => void
}

export interface PickerProps extends Labeled, Bound<string> {
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly PickerOption[]>
  /** Returns the name of a value that was not chosen here. */
  readonly nameOf: (value: string, signal: AbortSignal) => Promise<string>
  /** Shown while there is no value. */
  readonly empty: string
}

/** Debounce interval for keystrokes. */
const PAUSE_MS = 120

export function Picker(props: PickerProps) {
  const { value, fault, change } = useBound(props, '')
  return (
    <Field {...props} fault={fault}>
      {(parts) => <Box {...props} parts={parts} chosen={value} change={change} />}
    </Field>
  )
}

interface BoxProps extends PickerProps {
  readonly parts: FieldParts
  readonly chosen: string
  readonly change: (value: string) => void
}

function Box(props: BoxProps) {
  const { parts, chosen, change, empty, name, label } = props
  const { t } = useTexts()
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const { shown, typed, type, options, active, take, onKey } = useChoice(props)
  const isOpen = typed !== undefined
  const activeId = isOpen && options[active] !== undefined ? `${listId}-${active}` : undefined
  return (
    <div class="picker">
      <input
        ref={input}
        id={parts.id}
        name={name}
        class="input"
        type="text"
        role="combobox"
        autoComplete="off"
        spellcheck={false}
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        aria-describedby={parts.describedBy}
        aria-invalid={parts.isInvalid}
        placeholder={chosen === '' ? empty : shown}
        value={typed ?? shown}
        onClick={() => type(typed ?? '')}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKey}
        onBlur={() => type(undefined)}
      />
      {chosen !== '' && (
        <Button
          kind="quiet"
          icon="close"
          label={t.picker.clear}
          onPress={() => {
            change('')
            type(undefined)
            input.current?.focus()
          }}
        />
      )}
      {isOpen && (
        <PickerOptions
          id={listId}
          label={label}
          field={input}
          options={options}
          active={active}
          onTake={take}
        />
      )}
    </div>
  )
}

/** The typed text, the results, and the active result. */
function useChoice({ chosen, change, find, nameOf }: BoxProps) {
  const [shown, setShown] = useShownName(chosen, nameOf)
  /** Undefined while the user is not choosing. */
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(0)
  const options = useFound(typed, find)

  function type(text: string | undefined): void {
    setActive(0)
    setTyped(text)
  }

  function take(option: PickerOption | undefined): void {
    setTyped(undefined)
    if (option === undefined) return
    if (option.run !== undefined) return option.run()
    setShown(option)
    change(option.value)
  }

  function onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (step !== undefined) {
      if (typed === undefined) setTyped('')
      else if (options.length > 0) setActive((active + step + options.length) % options.length)
    } else if (typed === undefined) return
    else if (event.key === 'Enter') take(options[active])
    else if (event.key === 'Escape') setTyped(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return { shown, typed, type, options, active, take, onKey }
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The name of the value; requested if it was not chosen here. */
function useShownName(chosen: string, nameOf: PickerProps['nameOf']) {
  const [known, setKnown] = useState<PickerOption>()
  useEffect(() => {
    if (chosen === '' || known?.value === chosen) return undefined
    const gone = new AbortController()
    nameOf(chosen, gone.signal).then(
      (text) => setKnown({ value: chosen, text }),
      () => {
        if (!gone.signal.aborted) setKnown({ value: chosen, text: `#${chosen}` })
      },
    )
    return () => gone.abort()
  }, [chosen])
  return [known?.value === chosen ? known.text : '', setKnown] as const
}

function useFound(typed: string | undefined, find: PickerProps['find']): readonly PickerOption[] {
  const [options, setOptions] = useState<readonly PickerOption[]>([])
  useEffect(() => {
    if (typed === undefined) return undefined
    const gone = new AbortController()
    const timer = setTimeout(
      () =>
        void find(typed.trim(), gone.signal).then(setOptions, () => {
          if (!gone.signal.aborted) setOptions([])
        }),
      typed === '' ? 0 : PAUSE_MS,
    )
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [typed])
  return options
}

interface OptionsProps {
  readonly id: string
  readonly label: string
  readonly field: RefObject<HTMLElement>
  readonly options: readonly PickerOption[]
  readonly active: number
  readonly onTake: (option: PickerOption) => void
}

/** The list of results below its field, in the top layer. */
export function PickerOptions({ id, label, field, options, active, onTake }: OptionsProps) {
  const { t } = useTexts()
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const show = (): void => {
      const list = ref.current
      const box = field.current?.getBoundingClientRect()
      if (list === null || box === undefined) return
      // Shows the list in the top layer, above dialogs too.
      if (!list.matches(':popover-open')) list.showPopover()
      list.style.width = `${box.width}px`
      place(list, box)
      list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
    }
    show()
    addEventListener('resize', show)
    return () => removeEventListener('resize', show)
  }, [options, active])

  return (
    <div
      ref={ref}
      id={id}
      class="menu picker-list"
      role="listbox"
      aria-label={label}
      popover="manual"
      tabIndex={-1}
    >
      {options.map((option, at) => (
        <div
          key={option.value}
          id={`${id}-${at}`}
          class="picker-option"
          role="option"
          aria-selected={at === active}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onPointerUp={() => onTake(option)}
          tabIndex={-1}
        >
          {option.preview}
          <bdi>{option.text}</bdi>
          {option.note !== undefined && <span class="quiet"> {option.note}</span>}
        </div>
      ))}
      {options.length === 0 && (
        <div class="picker-option quiet" role="option" aria-disabled="true" aria-selected="false">
          {t.picker.nothing}
        </div>
      )}
    </div>
  )
}
