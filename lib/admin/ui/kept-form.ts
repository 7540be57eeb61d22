// Stores unsaved form values in the tab, per user. They survive a reload and a sign-out.

import type { FormValues } from './use-form.ts'

export interface KeptForm {
  readonly read: () => FormValues | undefined
  readonly write: (values: FormValues) => void
  readonly forget: () => void
  /** The sent body without a response yet, serialized by the caller. */
  readonly readSent: () => string | undefined
  readonly writeSent: (text: string | undefined) => void
}

/** Without a name, nothing is stored. */
export function openKeptForm(name: string | undefined, userId: number | undefined): KeptForm {
  if (name === undefined) return NOTHING
  const key = `cms.form.${userId ?? 0}.${name}`
  const sent = `cms.sent.${userId ?? 0}.${name}`
  return {
    read: () => parse(quietly(() => sessionStorage.getItem(key)) ?? null),
    write: (values) => quietly(() => sessionStorage.setItem(key, JSON.stringify(values))),
    forget: () => quietly(() => sessionStorage.removeItem(key)),
    readSent: () => quietly(() => sessionStorage.getItem(sent)) ?? undefined,
    writeSent: (text) =>
      quietly(() =>
        text === undefined ? sessionStorage.removeItem(sent) : sessionStorage.setItem(sent, text),
      ),
  }
}

const NOTHING: KeptForm = {
  read: () => undefined,
  write: () => undefined,
  forget: () => undefined,
  readSent: () => undefined,
  writeSent: () => undefined,
}

/** Ignores blocked or full storage. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function parse(text: string | null): FormValues | undefined {
  if (text === null) return undefined
  const value: unknown = quietly(() => JSON.parse(text) as unknown)
  if (typeof value !== 'object' || value === null) return undefined
  const known = Object.entries(value).filter(([, item]) => isValue(item))
  return Object.fromEntries(known) as FormValues
}

function isValue(value: unknown): value is string | boolean {
  return typeof value === 'string' || typeof value === 'boolean'
}
