// Stores unsaved form values in the tab, per user. They survive a reload and a sign-out.

import { isObject, parseJson, readStored, writeStored } from '../client/stored.ts'
import type { FormValues } from './use-form.ts'

export interface KeptForm {
  readonly read: () => FormValues | undefined
  readonly write: (values: FormValues) => void
  readonly forget: () => void
  /** The sent body without a response yet, serialized by the caller. */
  readonly readSent: () => string | undefined
  readonly writeSent: (text: string | undefined) => void
}

const TAB = 'sessionStorage'

/** Without a name, nothing is stored. */
export function openKeptForm(name: string | undefined, userId: number | undefined): KeptForm {
  if (name === undefined) return NOTHING
  const key = `cms.form.${userId ?? 0}.${name}`
  const sent = `cms.sent.${userId ?? 0}.${name}`
  return {
    read: () => valuesIn(parseJson(readStored(key, TAB))),
    write: (values) => writeStored(key, JSON.stringify(values), TAB),
    forget: () => writeStored(key, undefined, TAB),
    readSent: () => readStored(sent, TAB),
    writeSent: (text) => writeStored(sent, text, TAB),
  }
}

const NOTHING: KeptForm = {
  read: () => undefined,
  write: () => undefined,
  forget: () => undefined,
  readSent: () => undefined,
  writeSent: () => undefined,
}

function valuesIn(value: unknown): FormValues | undefined {
  if (!isObject(value)) return undefined
  const known = Object.entries(value).filter(([, item]) => isValue(item))
  return Object.fromEntries(known) as FormValues
}

function isValue(value: unknown): value is string | boolean {
  return typeof value === 'string' || typeof value === 'boolean'
}
