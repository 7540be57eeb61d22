// The type of a language: the same keys as English. Missing texts do not compile.

import type { first } from './en/first.ts'
import type { en } from './en.ts'
import type { Counted } from './fill.ts'

export type Texts = typeof en

/** test/admin/texts.test.ts checks the placeholders. */
export type Translation = Same<Texts>

/** Texts that load before the first view. */
export type First = Same<typeof first>

type Same<T> = T extends string
  ? string
  : T extends { readonly other: string }
    ? Counted
    : { readonly [K in keyof T]: Same<T[K]> }
