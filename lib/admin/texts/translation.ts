// The type of a language: the same keys as English. Missing texts do not compile.

import type { first } from './en/first.ts'
import type { EN_PARTS } from './en.ts'
import type { Counted } from './fill.ts'

type Parts = typeof EN_PARTS
/** The members of all parts. */
type Members<P extends keyof Parts = keyof Parts> = (
  P extends unknown
    ? (part: Awaited<ReturnType<Parts[P]>>) => void
    : never
) extends (part: infer All) => void
  ? All
  : never

export type Texts = typeof first & { readonly [K in keyof Members]: Members[K] }

/** test/admin/texts.test.ts checks the placeholders. */
export type Translation = Same<Texts>

/** The same texts as a part of English. */
export type TranslatedPart<P extends keyof Parts> = Same<Awaited<ReturnType<Parts[P]>>>

/** Texts that load before the first view. */
export type First = Same<typeof first>

type Same<T> = T extends string
  ? string
  : T extends { readonly other: string }
    ? Counted
    : { readonly [K in keyof T]: Same<T[K]> }
