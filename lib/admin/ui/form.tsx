// A form. It stores typed values until they are saved (kept-form.ts), shows server errors at their fields, and all
// other errors next to the submit button. Enter or Ctrl-S submits the form, and Ctrl-Enter does so in a multi-line
// field.
//
//   <Form name="new-key" initial={{ name: '' }} submit={t.acts.newKey} onSubmit={async ({ name }, { once }) => {
//     const body = { name }
//     await dataOf(api.POST('/api_key', { params: { header: once(body) }, body }))
//   }}>
//     <TextInput name="name" label={t.keys.name} />
//   </Form>
//
// The first segment of an error's JSON pointer names the field (`/name`), unless `pointers` maps it:
// { '/category_roles/0': 'role' }. Errors of onSubmit are shown: Problem and NoConnection as a message, InvalidFields
// at the fields.

import type { ComponentChildren, RefObject } from 'preact'
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useMe } from '../client/client-context.ts'
import { type Fault, Problem } from '../client/problem.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import { InDialog } from './dialog.tsx'
import { useFaultText } from './fault-text.ts'
import { type Filled, isDecided, openFilled } from './filled.ts'
import { openKeptForm } from './kept-form.ts'
import { Notice, ProblemNotice } from './notice.tsx'
import { FormProvider, type FormState, type FormValue, type FormValues } from './use-form.ts'

/** Errors that the page detects, by field name. */
export class InvalidFields extends Error {
  readonly faults: Faults

  constructor(faults: Faults) {
    super('Some fields are not valid.')
    this.name = 'InvalidFields'
    this.faults = faults
  }
}

type Faults = Readonly<Record<string, string>>

export interface FormProps<V extends FormValues> {
  /** Storage key. Forms of the same kind need a suffix: `key-5`. */
  readonly name: string
  readonly initial: V
  readonly submit: string
  /** Requests that create a record use `filled` (filled.ts). */
  readonly onSubmit: (values: V, filled: Filled) => Promise<void>
  readonly children: ComponentChildren
  readonly pointers?: Readonly<Record<string, string>>
  /** Shows a Cancel button. Without onCancel, the form of a dialog has one that closes the dialog; null hides this button. */
  readonly onCancel?: (() => void) | null
  /** Further buttons next to the submit button. */
  readonly actions?: ComponentChildren
  readonly isDangerous?: boolean
  /** Stores nothing, because another user may sign in next. */
  readonly isForgotten?: boolean
  /** The labels of the fields. With them, a bar at the end of the window links to the fields with errors. */
  readonly labels?: Readonly<Record<string, string>>
  /** The submit button takes the full width, as in a narrow box. */
  readonly isWide?: boolean
}

/** A group of fields cannot take the focus. */
const WRONG =
  ':is(input, select, textarea, button, [contenteditable])[aria-invalid="true"], fieldset[aria-invalid="true"] :is(input, button)'

export function Form<V extends FormValues>(props: FormProps<V>) {
  const { children, isWide, labels } = props
  const { t } = useTexts()
  const { form, ref, toldRef, error, isBusy, wasKept, send, discard } = useFormState(props)
  const rest = error !== undefined && !(error instanceof InvalidFields) ? error : undefined

  return (
    <form
      ref={ref}
      class={`form${isWide === true ? ' form-wide' : ''}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      onKeyDown={(event) => {
        if (!isSend(event)) return
        // Ctrl-S would save the page.
        event.preventDefault()
        void send()
      }}
    >
      {wasKept && (
        <Notice
          kind="info"
          actions={
            <Button kind="quiet" onPress={discard}>
              {t.form.discard}
            </Button>
          }
        >
          {t.form.kept}
        </Notice>
      )}
      <FormProvider value={form}>{children}</FormProvider>
      <div class={labels === undefined ? 'form-end' : 'form-end form-bar'}>
        {rest !== undefined && (
          <div ref={toldRef}>
            <ProblemNotice error={rest} />
          </div>
        )}
        <FormFaults faults={form.faults} labels={labels} form={ref} />
        <div class="form-actions">
          <FormButtons {...props} isBusy={isBusy} />
        </div>
      </div>
    </form>
  )
}

type ButtonsProps = Pick<
  FormProps<FormValues>,
  'submit' | 'actions' | 'isDangerous' | 'onCancel'
> & { readonly isBusy: boolean }

/** On a page, the submit button is the first one; in a dialog, the last one. */
function FormButtons({ submit, actions, isDangerous, isBusy, ...props }: ButtonsProps) {
  const { t } = useTexts()
  const dialog = useContext(InDialog)
  const onCancel = props.onCancel === undefined ? dialog?.onClose : props.onCancel
  const cancel = onCancel && <Button onPress={onCancel}>{t.general.cancel}</Button>
  const send = (
    <Button type="submit" kind={isDangerous === true ? 'danger' : 'primary'} isBusy={isBusy}>
      {submit}
    </Button>
  )
  if (dialog === undefined) {
    return (
      <>
        {send}
        {cancel}
        {actions}
      </>
    )
  }
  return (
    <>
      <div class="form-others">{actions}</div>
      <div class="form-decision">
        {cancel}
        {send}
      </div>
    </>
  )
}

interface FormFaultsProps {
  readonly faults: Faults
  readonly labels: Readonly<Record<string, string>> | undefined
  readonly form: RefObject<HTMLFormElement>
}

/** Links to the fields with errors, if the form has labels. */
function FormFaults({ faults, labels, form }: FormFaultsProps) {
  const { t } = useTexts()
  const names = Object.keys(faults)
  if (names.length === 0) return null
  const named = names.filter((name) => labels !== undefined && Object.hasOwn(labels, name))
  const focus = (name: string): void =>
    [...(form.current?.querySelectorAll<HTMLElement>('[name]') ?? [])]
      // The inputs of a group have longer names: tags=news.
      .find((each) => each.getAttribute('name')?.split('=', 1)[0] === name)
      ?.focus()
  return (
    <div class="form-faults">
      <p>{t.form.faults}</p>
      {named.map((name) => (
        <button key={name} type="button" class="link-button" onClick={() => focus(name)}>
          {labels?.[name]}
        </button>
      ))}
    </div>
  )
}

// oxlint-disable-next-line eslint/max-lines-per-function -- the parts share the state of one form
function useFormState<V extends FormValues>(props: FormProps<V>) {
  const { name, initial, onSubmit, pointers, isForgotten } = props
  const { t } = useTexts()
  const faultText = useFaultText()
  const userId = useMe()?.user.user_id
  const kept = useMemo(
    () => openKeptForm(isForgotten === true ? undefined : name, userId),
    [name, userId],
  )
  const found = useMemo(() => kept.read(), [])
  const filled = useMemo(() => openFilled(kept), [kept])
  const ref = useRef<HTMLFormElement>(null)
  const toldRef = useRef<HTMLDivElement>(null)
  const [values, setValues] = useState<V>({ ...initial, ...found })
  const [wasKept, setWasKept] = useState(found !== undefined)
  const [faults, setFaults] = useState<Faults>({})
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const secrets = useRef(new Set<string>())
  const sending = useRef(false)
  /** Keystrokes can arrive faster than renders. */
  const latest = useRef(values)

  function set(field: string, value: FormValue): void {
    latest.current = { ...latest.current, [field]: value }
    setValues(latest.current)
    setFaults(({ [field]: _, ...others }) => others)
    const open = Object.entries(latest.current).filter(([key]) => !secrets.current.has(key))
    kept.write(Object.fromEntries(open))
  }

  function discard(): void {
    kept.forget()
    filled.end()
    latest.current = initial
    setValues(initial)
    setWasKept(false)
  }

  async function send(): Promise<void> {
    if (sending.current) return
    const missing = missingIn(ref.current, t.form.required)
    setFaults(missing)
    setError(undefined)
    if (Object.keys(missing).length > 0) return
    sending.current = true
    setIsBusy(true)
    try {
      await onSubmit(latest.current, filled)
      filled.end()
      kept.forget()
      setWasKept(false)
    } catch (thrown) {
      if (isDecided(thrown)) filled.end()
      const split = faultsIn(thrown, Object.keys(initial), { pointers, faultText })
      setFaults(split.faults)
      setError(split.rest)
    } finally {
      sending.current = false
      setIsBusy(false)
    }
  }

  useEffect(() => {
    const wrong = ref.current?.querySelector<HTMLElement>(WRONG)
    if (wrong !== null && wrong !== undefined) wrong.focus()
    else toldRef.current?.scrollIntoView({ block: 'nearest' })
  }, [faults, error])

  const keepSecret = (field: string): void => void secrets.current.add(field)
  const form: FormState = { values, set, faults, keepSecret }
  return { form, ref, toldRef, error, isBusy, wasKept, send, discard }
}

function isSend({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && (key === 'Enter' || key.toLowerCase() === 's')
}

/** Replaces the browser's validation messages with errors at the fields, in the page language. */
function missingIn(form: HTMLFormElement | null, text: string): Faults {
  const needed =
    form?.querySelectorAll<HTMLInputElement>('input[required], textarea[required]') ?? []
  const missing = [...needed].filter(({ value }) => value.trim() === '')
  return Object.fromEntries(missing.map(({ name }) => [name, text]))
}

interface FaultOptions {
  readonly pointers: FormProps<FormValues>['pointers']
  readonly faultText: (detail: string) => string
}

/** Splits errors into those of fields and the rest. */
function faultsIn(
  thrown: unknown,
  names: readonly string[],
  { pointers = {}, faultText }: FaultOptions,
): { readonly faults: Faults; readonly rest: unknown } {
  if (thrown instanceof InvalidFields) return { faults: thrown.faults, rest: thrown }
  if (!(thrown instanceof Problem)) return { faults: {}, rest: thrown }
  const nameOf = ({ pointer }: Fault): string => pointers[pointer] ?? pointer.split('/')[1] ?? ''
  const own = thrown.facts.errors.filter((fault) => names.includes(nameOf(fault)))
  const faults = Object.fromEntries(own.map((fault) => [nameOf(fault), faultText(fault.detail)]))
  const isAll = own.length > 0 && own.length === thrown.facts.errors.length
  return { faults, rest: isAll ? undefined : thrown }
}
