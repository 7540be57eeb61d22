// The response with one page of a list. Records are joined as JSON texts, without parsing and serializing them again.

import { holdsEverywhere } from '../../auth/grants.ts'
import { joinJson, type JsonItem, jsonText, type Reply } from '../../http/reply.ts'
import type { Context } from '../../operations/context.ts'
import type { RelatedStep } from '../../operations/modules/related-search.ts'
import type { FieldMatch, Match } from '../../schema/match.ts'
import type { ObjectType } from '../../schema/object.ts'
import type { SearchedBy } from '../../schema/values.ts'
import type { Page, Query } from '../../storage/port.ts'
import type { Request } from './request.ts'

interface ListAnswer {
  readonly object: ObjectType
  readonly query: Query
  readonly result: {
    readonly texts: readonly JsonItem[]
    readonly page: Pick<Page, 'total' | 'next' | 'isSpent' | 'scanned' | 'plan'>
  }
  /** How related records were found. */
  readonly steps?: readonly RelatedStep[]
}

/** Administrators of the whole site also get the number of scanned records. */
export function listReply(
  request: Request,
  { caller }: Context,
  { object, query, result, steps = [] }: ListAnswer,
): Reply {
  const { page, texts } = result
  const info = {
    start: query.cursor === undefined ? (query.start ?? 1) : null,
    length: query.length,
    total: page.total ?? null,
    next: page.next ?? null,
    ...(page.isSpent === true && { complete: false }),
    ...(page.plan && { explain: explained(page.plan, result, steps) }),
    // The query of a reader without a key includes the filter of the module, which is not public.
    ...(caller.isAnonymous !== true && hintFor(query, result)),
  }
  const body = joinJson(`{"${object.name}":[`, texts, `],"page":${JSON.stringify(info)}}`)
  return jsonText(200, body, {
    ...(holdsEverywhere(caller, 'admin') && {
      'server-timing': `scan;desc="scanned ${page.scanned}, returned ${texts.length}"`,
    }),
    ...totalHeader(page.total),
    ...linkHeader(request, page.next),
  })
}

function explained(
  plan: SearchedBy,
  { page: { scanned: examined }, texts }: ListAnswer['result'],
  steps: readonly RelatedStep[],
): object {
  return { ...plan, examined, returned: texts.length, related: steps }
}

/** Suggests another search if this one has found nothing at all. */
function hintFor(
  { match, cursor, start = 1 }: Query,
  { page, texts }: ListAnswer['result'],
): { readonly hint?: string } {
  const isNone = texts.length === 0 && page.next === undefined && page.isSpent !== true
  if (!isNone || cursor !== undefined || start !== 1) return {}
  const hint = searchHint(match)
  return hint === undefined ? {} : { hint }
}

/** The total of the body as a header, for clients that read headers; absent if unknown. */
export function totalHeader(total: number | undefined): Readonly<Record<string, string>> {
  return total === undefined ? {} : { 'x-total': String(total) }
}

/** The URL of the next page (RFC 8288). */
export function linkHeader(
  { message, query }: Request,
  cursor: string | undefined,
): Readonly<Record<string, string>> {
  // The next page of a search by POST has no URL.
  if (cursor === undefined || message.method === 'POST') return {}
  const next = new URLSearchParams(query)
  next.delete('start')
  next.set('cursor', cursor)
  const path = (message.url ?? '').split('?', 1)[0] ?? ''
  return { link: `<${path}?${next}>; rel="next"` }
}

const WILDCARDS = /[*%]/
const LETTERS = /\p{L}/u

/**
 * Suggests another search if a search found nothing because it was written for another system: with * or % as
 * wildcards, or in another case. The hint depends only on the search, so it reveals nothing about stored
 * records. Returns undefined for any other search.
 */
function searchHint(match: Match | undefined): string | undefined {
  const asked = match === undefined ? [] : textsIn(match)
  const wild = asked.find(({ text }) => WILDCARDS.test(text))
  if (wild !== undefined) return hintOfWildcards(wild)
  const exact = asked.find(({ isExact, text }) => isExact && LETTERS.test(text))
  return exact && hintOfCase(exact)
}

interface Asked {
  /** Undefined: table_filter, which searches many fields. */
  readonly field: string | undefined
  readonly text: string
  /** Anchors before and after the text in a pattern that matches the same. */
  readonly ends: readonly [string, string]
  readonly isExact: boolean
}

/** Operators that find a part of a text; equality compares the whole text. */
const ENDS: Readonly<Record<string, Asked['ends']>> = {
  contains: ['', ''],
  startsWith: ['^', ''],
  endsWith: ['', '$'],
}
const WHOLE: Asked['ends'] = ['^', '$']

function textsIn(match: Match): readonly Asked[] {
  switch (match.op) {
    case 'and':
    case 'or':
      return match.parts.flatMap(textsIn)
    case 'not':
    case 'related':
      return []
    case 'text':
      return [{ field: undefined, text: match.text, ends: WHOLE, isExact: false }]
    default:
      return textsOf(match)
  }
}

function textsOf(match: FieldMatch): readonly Asked[] {
  const { field } = match
  if (field.kind !== 'string') return []
  const ask = (text: unknown, ends: Asked['ends']): readonly Asked[] =>
    typeof text === 'string' ? [{ field: field.name, text, ends, isExact: true }] : []
  if (match.op === 'eq') return ask(match.value, WHOLE)
  if (match.op === 'in') return match.values.flatMap((value) => ask(value, WHOLE))
  return 'text' in match ? ask(match.text, ENDS[match.op] ?? WHOLE) : []
}

function hintOfWildcards({ field, text }: Asked): string {
  const plain = text.replaceAll(/[*%]+/g, '')
  const said = `${JSON.stringify(text)} was searched literally: * and % are not wildcards.`
  if (field === undefined) return `${said} table_filter finds a text at any position: ${plain}`
  return `${said} Search for a part, ${askFor(field, { $contains: plain })}, or for a pattern, ${askFor(field, { $regex: patternOf(text) })}`
}

function hintOfCase({ field = '', text, ends: [before, after] }: Asked): string {
  const pattern = before + patternOf(text) + after
  const anyCase = askFor(field, { $regex: pattern, $options: 'i' })
  const part = before + after === '' ? '' : `, or for a part, ${askFor(field, { $contains: text })}`
  return `${field} is compared with case. To ignore case, use ${anyCase}${part}`
}

function patternOf(text: string): string {
  return text.replaceAll(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`).replaceAll(/[*%]+/g, '.*')
}

function askFor(field: string, match: object): string {
  return `qry=${JSON.stringify({ [field]: match })}`
}
