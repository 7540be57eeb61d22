// Translates field errors of the server to the language of the page. The server's English sentences are fixed and
// shared by all fields of a kind; test/admin/fault-texts.test.ts produces each of them. Unknown sentences are shown
// unchanged.
//
//   const faultText = useFaultText()
//   faultText(fault.detail)

import { fill } from '../texts/fill.ts'
import type { Texts } from '../texts/translation.ts'
import { useTexts } from '../texts/use-texts.ts'

export type FaultName = Exclude<keyof Texts['faults'], 'unknown'>

/** Named groups fill the placeholders of the text. */
export const FAULT_WORDS: Readonly<Record<FaultName, RegExp>> = {
  required: /^is required$/,
  notNull: /^must not be null(?::.*)?$/,
  empty: /^must not be empty$/,
  unseen: /^must contain a visible character$/,
  hiddenEnd:
    /^must not begin or end with a blank or an invisible character \((?<character>U\+[0-9A-F]+)\)/,
  taken: /^is taken$/,
  unique: /^must be unique, and (?<who>.+) has the same value$/,
  uniqueTogether:
    /^must be unique together with (?<columns>.+), and (?<who>.+) has the same values$/,
  characters: /^may have at most (?<count>[\d,]+) characters$/,
  bytes: /^may have at most (?<count>[\d,]+) bytes in UTF-8$/,
  fewCharacters: /^must have at least (?<count>\d+) characters?$/,
  fewDifferent: /^must have at least (?<count>\d+) different characters$/,
  dots: /^must not be "\." or "\.\."$/,
  slash: /^must not contain a "\/"$/,
  control: /^must not contain control characters or marks/,
  whole: /^must be a whole number from (?<least>\S+) to (?<most>\S+)$/,
  number: /^must be a (?:decimal )?number$/,
  negative: /^must not be below 0$/,
  least: /^must be at least (?<least>\S+)$/,
  most: /^must be at most (?<most>\S+)$/,
  early: /^must not be before (?<first>\d\S+)$/,
  late: /^must not be after (?<last>\d\S+)$/,
  pattern: /^must match the regular expression (?<pattern>.+)$/s,
  check: /^must satisfy CHECK\((?<rule>.+)\)$/s,
  digitsBefore: /^may have at most (?<count>\d+) digits before the point$/,
  decimals: /^may have at most (?<count>\d+) decimals$/,
  oneOf: /^must be one of (?<values>".*")$/,
  listOf: /^must be a list of (?<values>".*")$/,
  listTwice: /^must not have a value twice$/,
  listEmpty: /^must have at least one value$/,
  email: /^must be an email address/,
  url: /^must be an absolute address that begins with http/,
  color: /^must be a color: /,
  uuid: /^must be a UUID/,
  point: /^must be \[longitude, latitude\]/,
  jsonNumber: /^has the number (?<number>\S+), which a 64-bit/,
  jsonDepth: /^may be nested at most (?<count>\d+) deep$/,
  jsonSize: /^may have at most (?<count>\d+) KiB of JSON$/,
  date: /^must be a date: /,
  yesOrNo: /^must be true or false/,
  folderGone: /^must be the identifier of an asset category; there is no /,
  userGone: /^must be the identifier of a user; there is no /,
  inItself: /^must not be the folder itself or one below it$/,
  past: /^(?:must lie in the future|is in the past: the clock)/,
  beyondKey: /^must not be after the end of this key or its secret, (?<until>.+)$/,
  endFirst: /^must (?:not be before start_time$|be later than publish_at)/,
  eventYear: /^must be from (?<first>[\d-]+) to (?<last>[\d-]+), as calendar programs/,
  untilFirst: /^must not have UNTIL before start_time$/,
  token: /^must be a short token like html/,
  moreThanOwn: /^with category_roles may not hold more, /,
  noText: /^is text, but the file is of a type without text \((?<type>[^)]*)\)/,
  readOnly: /^is read-only$/,
  noQry: /^is not a valid qry for these columns: (?<why>.+)$/,
}

const NAMES = Object.keys(FAULT_WORDS) as readonly FaultName[]

export function useFaultText(): (detail: string) => string {
  const { t } = useTexts()
  return (detail) => faultText(detail, t.faults)
}

/** Without texts, returns the detail: no page with forms has been opened yet. */
export function faultText(detail: string, texts: Readonly<Record<string, string>> = {}): string {
  for (const name of NAMES) {
    const found = FAULT_WORDS[name].exec(detail)
    const own = texts[name]
    if (found !== null && own !== undefined) return fill<string>(own, { ...found.groups })
  }
  const unknown = texts['unknown']
  return unknown === undefined ? detail : fill<string>(unknown, { detail })
}
