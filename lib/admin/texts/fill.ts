// Texts with placeholders: "Key {name} was created". The type of a text contains its placeholders, so that the
// compiler finds missing values.

/** One form per plural category of the language (CLDR); `other` is required. */
export type Counted = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string
}

type Places<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never

export type Values<T extends string> = Readonly<Record<Places<T>, string | number>>

const PLACE = /\{(\w+)\}/g

/** Values are formatted text; numbers are formatted with formats.ts first. */
export function fill<T extends string>(text: T, values: Values<T>): string {
  const byName: Readonly<Record<string, string | number>> = values
  return text.replace(PLACE, (_, name: string) => String(byName[name] ?? ''))
}

/** Sorted placeholder names, for the test that compares languages. */
export function placesOf(text: string): readonly string[] {
  return [...text.matchAll(PLACE)].map(([, name = '']) => name).toSorted()
}
