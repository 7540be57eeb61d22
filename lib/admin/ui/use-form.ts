// What a form tells the fields in it: their values, their faults, and where they write to.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export type FormValue = string | boolean

export type FormValues = Readonly<Record<string, FormValue>>

export interface FormState {
  readonly values: FormValues
  readonly set: (name: string, value: FormValue) => void
  /** By the name of the field. */
  readonly faults: Readonly<Record<string, string>>
  /** What is never written down: a password. */
  readonly keepSecret: (name: string) => void
}

const NONE: FormState = {
  values: {},
  set: () => undefined,
  faults: {},
  keepSecret: () => undefined,
}

const FormContext = createContext<FormState>(NONE)

export const FormProvider = FormContext.Provider

/** Outside of a form there are no values. */
export function useForm(): FormState {
  return useContext(FormContext)
}

export interface Bound<T extends FormValue> {
  /** Of the field in the form, and in the body that it sends. */
  readonly name: string
  /** Without a form: the value, and who takes another one. */
  readonly value?: T
  readonly onChange?: (value: T) => void
  /** Without a form: what is wrong with it. */
  readonly fault?: string | undefined
}

/** The value of a field and where another one goes: of the form around, or of who holds it. */
export function useBound<T extends FormValue>(bound: Bound<T>, empty: T) {
  const { name, value, onChange } = bound
  const { values, set, faults } = useForm()
  const own = values[name]
  const held = typeof own === typeof empty ? (own as T) : empty
  return {
    value: value ?? held,
    fault: bound.fault ?? faults[name],
    change: (next: T): void => (onChange === undefined ? set(name, next) : onChange(next)),
  }
}
