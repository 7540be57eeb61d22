// A form. It keeps what is typed until it is saved (kept-form.ts), puts the faults that the server tells beside the
// fields that they are about, and the rest beside the button that was pressed. Enter sends it, and Ctrl-S or,
// from a field of several lines, Ctrl-Enter.
//
//   <Form name="new-key" initial={{ name: '' }} submit={t.acts.newKey} onSubmit={async ({ name }, { once }) => {
//     const body = { name }
//     await dataOf(api.POST('/api_key', { params: { header: once(body) }, body }))
//   }}>
//     <TextInput name="name" label={t.keys.name} />
//   </Form>
//
// A field is found by the first part of a pointer, `/name`, or by what `pointers` says: { '/category_roles/0': 'role' }.
// What onSubmit throws is shown: Problem and NoConnection in words, InvalidFields at the fields.

import type { ComponentChildren } from 'preact'
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

/** What the page itself finds wrong: by the name of the field. */
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
  /** Under which it is kept; of two forms of a kind with what tells them apart: `key-5`. */
  readonly name: string
  readonly initial: V
  readonly submit: string
  /** What creates a record names its request by `filled`: filled.ts. */
  readonly onSubmit: (values: V, filled: Filled) => Promise<void>
  readonly children: ComponentChildren
  readonly pointers?: Readonly<Record<string, string>>
  /** Beside the button that sends it: another way out. */
  readonly actions?: ComponentChildren
  readonly isDangerous?: boolean
  /** Nothing of it is kept: who signs in next is somebody else. */
  readonly isForgotten?: boolean
  /** As in a narrow box: the button takes all of the width. */
  readonly isWide?: boolean
}

/** A group of fields takes no focus itself. */
const WRONG =
  ':is(input, select, textarea, button)[aria-invalid="true"], fieldset[aria-invalid="true"] :is(input, button)'

export function Form<V extends FormValues>(props: FormProps<V>) {
  const { submit, children, actions, isDangerous, isWide } = props
  const { t } = useTexts()
  const isLast = useContext(InDialog)
  const { form, ref, toldRef, error, isBusy, wasKept, send, discard } = useFormState(props)
  const rest = error !== undefined && !(error instanceof InvalidFields) ? error : undefined

  return (
    <form
      ref={ref}
      class={isWide === true ? 'form form-wide' : 'form'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      onKeyDown={(event) => {
        if (!isSend(event)) return
        // With Ctrl-S the browser would save the page.
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
      {rest !== undefined && (
        <div ref={toldRef}>
          <ProblemNotice error={rest} />
        </div>
      )}
      {Object.keys(form.faults).length > 0 && <p class="form-faults">{t.form.faults}</p>}
      <div class="form-actions">
        {isLast && actions}
        <Button type="submit" kind={isDangerous === true ? 'danger' : 'primary'} isBusy={isBusy}>
          {submit}
        </Button>
        {!isLast && actions}
      </div>
    </form>
  )
}

// oxlint-disable-next-line eslint/max-lines-per-function -- the state of one form, which its parts share
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
  /** What is typed faster than it is drawn must not be lost. */
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
      const told = faultsIn(thrown, Object.keys(initial), { pointers, faultText })
      setFaults(told.faults)
      setError(told.rest)
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

/** Said beside the field and in the language of the page, which the browser would not do. */
function missingIn(form: HTMLFormElement | null, text: string): Faults {
  const needed =
    form?.querySelectorAll<HTMLInputElement>('input[required], textarea[required]') ?? []
  const missing = [...needed].filter(({ value }) => value.trim() === '')
  return Object.fromEntries(missing.map(({ name }) => [name, text]))
}

interface Told {
  readonly pointers: FormProps<FormValues>['pointers']
  readonly faultText: (detail: string) => string
}

/** Faults that belong to a field go there; what is left is shown beside the button. */
function faultsIn(
  thrown: unknown,
  names: readonly string[],
  { pointers = {}, faultText }: Told,
): { readonly faults: Faults; readonly rest: unknown } {
  if (thrown instanceof InvalidFields) return { faults: thrown.faults, rest: thrown }
  if (!(thrown instanceof Problem)) return { faults: {}, rest: thrown }
  const nameOf = ({ pointer }: Fault): string => pointers[pointer] ?? pointer.split('/')[1] ?? ''
  const own = thrown.facts.errors.filter((fault) => names.includes(nameOf(fault)))
  const faults = Object.fromEntries(own.map((fault) => [nameOf(fault), faultText(fault.detail)]))
  const isAll = own.length > 0 && own.length === thrown.facts.errors.length
  return { faults, rest: isAll ? undefined : thrown }
}
