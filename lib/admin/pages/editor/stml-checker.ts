// Translates the errors of STML pages that the server finds.

import { fill } from '../../texts/fill.ts'
import type { Texts } from '../../texts/translation.ts'

/**
 * Translates STML errors of the server to the language of the page. The server's English sentences are fixed, and
 * test/admin/fault-texts.test.ts produces each of them. Unknown sentences are shown unchanged.
 */
export type StmlFaultName = keyof Texts['editor']['stml']

/** Named groups fill the placeholders of the text. */
export const STML_FAULT_WORDS: Readonly<Record<StmlFaultName, RegExp>> = {
  nul: /^A NUL character is not text/,
  outside: /^There is text outside the root element/,
  piece: /^This .+ is never closed\. Add (?<end>-->|\]\]>|>|\?>)$/,
  doctype: /^A page has no DOCTYPE/,
  entities: /^A page declares no entities/,
  secondRoot: /^There is a second root element/,
  otherRoot: /^The root is not /,
  depth: /^This element is nested deeper than (?<count>\d+)\./,
  zone: /^The id "(?<id>.*)" is already used on line (?<line>\d+)\./s,
  closesNothing: /^(?<tag><\/.*>) closes nothing\./s,
  closesOther: /^(?<tag><\/.*>) does not close <(?<open>.*)> of line (?<line>\d+)\./s,
  open: /^<(?<name>.*)> is never closed\. Add <\//s,
  noRoot: /^The page has no root element/,
  tag: /^The tag <(?<name>.*) is never closed\. Add > /s,
  quote: /^This quoted value is never closed\. Add (?<mark>["'])/,
}

const NAMES = Object.keys(STML_FAULT_WORDS) as readonly StmlFaultName[]

export function stmlFaultText(
  detail: string,
  texts: Readonly<Record<StmlFaultName, string>>,
): string {
  for (const name of NAMES) {
    const found = STML_FAULT_WORDS[name].exec(detail)
    if (found !== null) return fill(texts[name], { ...found.groups })
  }
  return detail
}
