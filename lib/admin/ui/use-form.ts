// The state that a form shares with its inputs: values, errors and setters.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export type FormValue = string | boolean

export type FormValues = Readonly<Record<string, FormValue>>

export interface FormState {
  readonly values: FormValues
  readonly set: (name: string, value: FormValue) => void
  /** By field name. */
  readonly faults: Readonly<Record<string, string>>
  /** Excludes a field such as a password from storage. */
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

/** Outside of a form, there are no values. */
export function useForm(): FormState {
  return useContext(FormContext)
}

export interface Bound<T extends FormValue> {
  /** Name of the field in the form and in the request body. */
  readonly name: string
  /** The value and its setter, outside of a form. */
  readonly value?: T
  readonly onChange?: (value: T) => void
  /** The error, outside of a form. */
  readonly fault?: string | undefined
}

/** The value and the setter of an input, from the surrounding form or from its props. */
export function useBound<T extends FormValue>(bound: Bound<T>, empty: T) {
  const { name, value, onChange } = bound
  const { values, set, faults } = useForm()
  const own = values[name]
  const fallback = typeof own === typeof empty ? (own as T) : empty
  return {
    value: value ?? fallback,
    fault: bound.fault ?? faults[name],
    change: (next: T): void => (onChange === undefined ? set(name, next) : onChange(next)),
  }
}
