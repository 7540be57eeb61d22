// What a language has to say: the same texts as English, in other words. What it lacks does not compile.

import type { first } from './en/first.ts'
import type { en } from './en.ts'
import type { Counted } from './fill.ts'

export type Texts = typeof en

/** The places of each text are those of English, which test/admin/texts.test.ts sees to. */
export type Translation = Same<Texts>

/** What is loaded before anything is shown. */
export type First = Same<typeof first>

type Same<T> = T extends string
  ? string
  : T extends { readonly other: string }
    ? Counted
    : { readonly [K in keyof T]: Same<T[K]> }
