// What somebody has typed into a form and not saved yet. It lasts as long as the tab, over a reload and a sign-out,
// and is that of one user alone.

import type { FormValues } from './use-form.ts'

export interface KeptForm {
  readonly read: () => FormValues | undefined
  readonly write: (values: FormValues) => void
  readonly forget: () => void
}

/** Without a name nothing is kept. */
export function openKeptForm(name: string | undefined, userId: number | undefined): KeptForm {
  if (name === undefined) return NOTHING
  const key = `cms.form.${userId ?? 0}.${name}`
  return {
    read: () => parse(quietly(() => sessionStorage.getItem(key)) ?? null),
    write: (values) => quietly(() => sessionStorage.setItem(key, JSON.stringify(values))),
    forget: () => quietly(() => sessionStorage.removeItem(key)),
  }
}

const NOTHING: KeptForm = {
  read: () => undefined,
  write: () => undefined,
  forget: () => undefined,
}

/** Where storing is forbidden, or there is no room, nothing is kept. */
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
