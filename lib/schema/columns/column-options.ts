// Parses the words after the type of a column, in any order and case. ADOdb ignores unknown words, so that NOT
// NULL (two words) makes a nullable column; here each word has an effect or is rejected.

import { closest } from '../message-text.ts'
import { type OptionKind, optionKind, OPTIONS, type RuleWord } from '../../shared/column-types.ts'
import {
  type DeleteRule,
  isReferenceWord,
  readDeleteRule,
  readTarget,
  REFERENCE_FORMS,
  type ReferenceTarget,
} from '../../shared/reference-words.ts'
import { argumentAt, isIndexName, ruleOf, type Token } from '../../shared/schema-tokens.ts'
import { isBare, showToken, unseenHint, type Report } from './tokens.ts'

export interface ColumnOptions {
  readonly isRequired: boolean
  /** NULL, which states the default. */
  readonly isNull: boolean
  readonly isUnsigned: boolean
  readonly isIndexed: boolean
  readonly isUnique: boolean
  /** KEY or PRIMARY, as written. */
  readonly keyWord?: string
  /** AUTO, AUTOINCREMENT, or the type SERIAL, as written. */
  readonly autoWord?: string
  /** Columns with the same index name share one index. */
  readonly indexName?: string
  readonly default?: DefaultOption
  /** The argument of each rule. */
  readonly rules: ReadonlyMap<RuleWord, Token>
  /** REFERENCES. */
  readonly target?: ReferenceTarget
  /** MANY. */
  readonly isMany: boolean
  /** ON DELETE. */
  readonly onDelete?: DeleteRule
}

/** A value, the word NULL, or the time of the create (DEFDATE or DEFTIMESTAMP). */
export type DefaultOption =
  | { readonly form: 'value'; readonly text: string }
  | { readonly form: 'null' }
  | { readonly form: 'now'; readonly word: string }

interface Reader {
  readonly tokens: readonly Token[]
  readonly report: Report
  at: number
  options: ColumnOptions
}

type ReadOption = (reader: Reader, word: string) => void

const NO_OPTIONS: ColumnOptions = {
  isRequired: false,
  isNull: false,
  isUnsigned: false,
  isIndexed: false,
  isUnique: false,
  rules: new Map(),
  isMany: false,
}

const READERS: Readonly<Record<OptionKind, ReadOption>> = {
  required: (reader) => set(reader, { isRequired: true }),
  null: (reader) => set(reader, { isNull: true }),
  unsigned: (reader) => set(reader, { isUnsigned: true }),
  default: readDefault,
  now: (reader, word) => setDefault(reader, { form: 'now', word }),
  index: readIndex,
  unique: (reader) => set(reader, { isUnique: true }),
  key: (reader, keyWord) => set(reader, { keyWord }),
  auto: (reader, autoWord) => set(reader, { autoWord }),
}

/** Words of references. They stay usable as a default and as the name of an index, as before there were references. */
const REFERENCE_READERS: ReadonlyMap<string, ReadOption> = new Map<string, ReadOption>([
  ['REFERENCES', readReferences],
  ['MANY', (reader) => set(reader, { isMany: true })],
  ['ON', readOn],
])

/** Words that are rejected with a specific message. */
const REFUSED: ReadonlyMap<string, ReadOption> = new Map<string, ReadOption>([
  ['NOT', refuseNot],
  ['NOQUOTE', refuseSql],
  ['CHECK', refuseCheck],
  ['CONSTRAINT', refuseConstraint],
  ['CONSTRAINTS', refuseConstraint],
  ['SIGNED', refuseSigned],
])

const USEFUL =
  'NOTNULL, NULL, DEFAULT, UNSIGNED, UNIQUE, KEY, AUTO, INDEX, DEFDATE, DEFTIMESTAMP, MIN, MAX, LENGTH, MATCH, COMPUTED, REFERENCES'
const WORDS: readonly string[] = [...OPTIONS, ...REFUSED.keys()]

export function readOptions(tokens: readonly Token[], report: Report): ColumnOptions {
  const reader: Reader = { tokens, report, at: 0, options: NO_OPTIONS }
  for (let token = take(reader); token !== undefined; token = take(reader)) {
    const word = token.text.toUpperCase()
    const kind = optionKind(word)
    const ofReference = token.quote === '' ? REFERENCE_READERS.get(word) : undefined
    const read = kind === undefined ? (ofReference ?? REFUSED.get(word)) : READERS[kind]
    const rule = ruleOf(token)
    if (rule !== undefined) readRule(reader, rule)
    else if (read === undefined) refuseUnknown(reader, token)
    else read(reader, word)
  }
  return reader.options
}

function take(reader: Reader): Token | undefined {
  const token = reader.tokens[reader.at]
  reader.at += 1
  return token
}

function set(reader: Reader, given: Partial<ColumnOptions>): void {
  reader.options = { ...reader.options, ...given }
}

function setDefault(reader: Reader, given: DefaultOption): void {
  if (reader.options.default === undefined) set(reader, { default: given })
  else reader.report('there are two defaults; remove one')
}

function readDefault(reader: Reader, word: string): void {
  const token = reader.tokens[reader.at]
  // ADOdb reads the word NULL as no value, even in quotes.
  const isNull = token?.text.trim().toUpperCase() === 'NULL'
  if (token === undefined || (!isNull && WORDS.some((item) => isWord(token, item)))) {
    const quoted = token === undefined ? 'value' : token.text
    return reader.report(`${word} has no value; write it in quotes, ${word} '${quoted}'`)
  }

  reader.at += 1
  const { text } = token
  // In ADOdb, blanks at both ends mark an SQL expression: ' SYSDATE '.
  if (text.length > 1 && text.startsWith(' ') && text.endsWith(' ')) {
    return reader.report(
      `the default ${showToken(token)} has blanks at both ends, which mark SQL; remove them`,
    )
  }
  setDefault(reader, isNull ? { form: 'null' } : { form: 'value', text })
}

function readRule(reader: Reader, rule: RuleWord): void {
  const token = argumentAt(reader.tokens, reader.at - 1)
  if (token === undefined)
    return reader.report(`${rule} has no value; write ${RULE_EXAMPLES[rule]}`)
  reader.at += 1
  if (reader.options.rules.has(rule))
    return reader.report(`${rule} is there twice; remove one of them`)
  set(reader, { rules: new Map([...reader.options.rules, [rule, token]]) })
}

const RULE_EXAMPLES: Readonly<Record<RuleWord, string>> = {
  MIN: 'MIN 0',
  MAX: 'MAX 10',
  LENGTH: 'LENGTH 3..80',
  MATCH: "MATCH '^[a-z]+$'",
  COMPUTED: "COMPUTED 'price * amount'",
}

// The name of an INDEX only tells which columns share it; it may be any word except an option.
function readIndex(reader: Reader): void {
  const token = reader.tokens[reader.at]
  const isName =
    token !== undefined &&
    isIndexName(reader.tokens, reader.at) &&
    !isReference(reader.tokens.slice(reader.at)) &&
    (token.quote !== '' || (isBare(token) && !WORDS.includes(token.text.toUpperCase())))
  if (isName) reader.at += 1
  set(reader, { isIndexed: true, ...(isName && { indexName: token.text }) })
}

function isReference([word, ...rest]: readonly Token[]): boolean {
  return isReferenceWord(word, 'REFERENCES') && readTarget(rest) !== undefined
}

function readReferences(reader: Reader): void {
  const found = readTarget(reader.tokens.slice(reader.at))
  if (found === undefined) {
    // Skips the words that were probably meant as the target, so that they are not reported again.
    while (reader.tokens[reader.at] !== undefined && !isOptionWord(reader.tokens[reader.at]))
      reader.at += 1
    return reader.report(`REFERENCES needs a target; write ${REFERENCE_FORMS}`)
  }
  reader.at += found.length
  if (reader.options.target !== undefined)
    return reader.report('there are two REFERENCES; remove one')
  set(reader, { target: found.target })
}

function isOptionWord(token: Token | undefined): boolean {
  if (token?.quote !== '') return false
  const word = token.text.toUpperCase()
  return WORDS.includes(word) || REFERENCE_READERS.has(word)
}

function readOn(reader: Reader): void {
  const found = readDeleteRule(reader.tokens.slice(reader.at))
  if (found === undefined) {
    while (reader.tokens[reader.at] !== undefined && !isOptionWord(reader.tokens[reader.at]))
      reader.at += 1
    return reader.report(
      'ON is incomplete; write ON DELETE RESTRICT, ON DELETE SET NULL or ON DELETE CASCADE',
    )
  }
  reader.at += found.length
  if (reader.options.onDelete !== undefined)
    return reader.report('there are two ON DELETE; remove one')
  set(reader, { onDelete: found.rule })
}

/** The option in parentheses that was probably meant without them: X (NOTNULL). */
export function optionInside({ quote, text }: Token): string | undefined {
  const word = text
    .trim()
    .toUpperCase()
    .replace(/^NOT\s+NULL$/, 'NOTNULL')
  return quote === '(' && word !== 'NULL' && optionKind(word) !== undefined ? word : undefined
}

function refuseNot(reader: Reader): void {
  const token = reader.tokens[reader.at]
  const isNull = token !== undefined && isWord(token, 'NULL')
  if (isNull) reader.at += 1
  reader.report(`"${isNull ? 'NOT NULL' : 'NOT'}" is not an option; write NOTNULL`)
}

function refuseCheck(reader: Reader): void {
  if (reader.tokens[reader.at]?.quote === '(') reader.at += 1
  reader.report('CHECK is not an option of a column; put a comma before CHECK(…)')
}

function refuseConstraint(reader: Reader, word: string): void {
  reader.at += 1
  refuseSql(reader, word)
}

function refuseSql({ report }: Reader, word: string): void {
  report(`${word} is SQL, which is not supported; remove it`)
}

function refuseSigned({ report }: Reader): void {
  report('SIGNED is the default; remove it')
}

function refuseUnknown({ report }: Reader, token: Token): void {
  const shown = showToken(token)
  const unseen = unseenHint(token.text)
  if (unseen !== '') return report(`${shown} is not an option${unseen}`)
  const option = optionInside(token)
  if (option !== undefined)
    return report(`${shown} is not an option; write ${option} without parentheses`)
  if (token.quote === '(')
    return report(`${shown} is not an option; a size must directly follow the type`)
  if (token.text === ')') return report(`${shown} closes nothing; remove it`)

  const near = closest(token.text, OPTIONS)
  const hint = near === undefined ? `known options: ${USEFUL}` : `did you mean ${near}?`
  report(`${shown} is not an option; ${hint}`)
}

function isWord({ quote, text }: Token, word: string): boolean {
  return quote === '' && text.toUpperCase() === word
}
