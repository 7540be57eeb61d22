// Texts with places in them: "Key {name} was made". The type of a text tells its places, so none is forgotten.

/** A form for each of the categories that the language has (CLDR); other is there in all. */
export type Counted = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string
}

type Places<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never

export type Values<T extends string> = Readonly<Record<Places<T>, string | number>>

const PLACE = /\{(\w+)\}/g

/** What stands in the places is text already; a number is shown by formats.ts before. */
export function fill<T extends string>(text: T, values: Values<T>): string {
  const byName: Readonly<Record<string, string | number>> = values
  return text.replace(PLACE, (_, name: string) => String(byName[name] ?? ''))
}

/** The names of the places, sorted: for the test that compares languages. */
export function placesOf(text: string): readonly string[] {
  return [...text.matchAll(PLACE)].map(([, name = '']) => name).toSorted()
}
