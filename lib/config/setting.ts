// One flag of the server as a table entry. Its option, its variable and its value follow from the entry.

import { Option } from 'commander'
import { integer } from './flag-values.ts'

export interface Setting<T> {
  /** As --help shows it. Its variable has the same name: --max-upload-mb is CMS_MAX_UPLOAD_MB. */
  readonly flag: string
  readonly text: string
  /** Parses the text, or lists the accepted values. */
  readonly read: ((text: string) => T) | readonly (T & string)[]
  readonly usual?: T
  /** The default as --help shows it. */
  readonly shown?: string
  /** Value of the flag when it is given without a value. */
  readonly preset?: string
}

export type Table = Readonly<Record<string, Setting<unknown>>>

export function setting<T>(
  flag: string,
  text: string,
  rest: Omit<Setting<T>, 'flag' | 'text'>,
): Setting<T> {
  return { flag, text, ...rest }
}

interface Bounds {
  readonly from: number
  readonly to: number
  readonly usual: number
  /** The given number is multiplied by this unit. */
  readonly unit?: number
}

export function number(
  flag: string,
  text: string,
  { from, to, usual, unit = 1 }: Bounds,
): Setting<number> {
  const read = integer(from, to)
  return {
    flag,
    text,
    read: (given) => read(given) * unit,
    usual: usual * unit,
    shown: String(usual),
  }
}

export type ValuesOf<T extends Table> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : never
}

export function optionOf({ flag, text, read, usual, shown, preset }: Setting<unknown>): Option {
  const option = new Option(flag, text)
  option.env(`CMS_${option.name().toUpperCase().replaceAll('-', '_')}`)
  if (usual !== undefined) option.default(usual, shown)
  if (preset !== undefined) option.preset(preset)
  return typeof read === 'function' ? option.argParser(read) : option.choices(read)
}

/** Options parsed by Commander. */
export type Flags = Readonly<Record<string, unknown>>

export function valuesOf<T extends Table>(table: T, flags: Flags): ValuesOf<T> {
  const values = Object.entries(table).map(
    ([name, item]) => [name, flags[optionOf(item).attributeName()]] as const,
  )
  // Each value was parsed by its setting.
  return Object.fromEntries(values) as ValuesOf<T>
}
