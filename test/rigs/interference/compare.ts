// Whether two answers are the same, but for what is random or a time.

import type { Received, Sent } from './site.ts'

/**
 * What is not compared, each with its reason. Also not judged, since both sites have the same number of
 * records that were ever made: identifiers are given in sequence, so the next one counts hidden records.
 */
const MASKS: readonly {
  readonly reason: string
  readonly headers?: readonly string[]
  readonly body?: readonly [RegExp, string]
}[] = [
  { reason: 'a time', headers: ['date'] },
  {
    reason: 'the name of this request',
    headers: ['x-request-id'],
    body: [/"request_id":"[^"]*"/g, '"request_id":""'],
  },
  {
    reason: 'a time of day, written by a timer',
    body: [/"last_used":"[^"]*"/g, '"last_used":null'],
  },
  { reason: 'random', body: [/"secret":"cms_[0-9A-Za-z]{49}"/g, '"secret":""'] },
  {
    reason: 'random, and of one length',
    body: [/"page":{"length":(\d+),"next":"[\w-]{51}"}/g, '"page":{"length":$1}'],
  },
  { reason: 'random', body: [/"hint":"cms_[0-9A-Za-z]{4}…"/g, '"hint":""'] },
  { reason: 'random, and of one length', body: [/\?ticket=[\w-]{94}/g, ''] },
  { reason: 'random in each page', body: [/ nonce="[^"]+"/g, ''] },
]

/** Each page has a nonce of its own, in its policy, too. */
const NONCE = /'nonce-[^']+'/g

/** An ETag of a record has a checksum of its text, which in an API key is random: the revision stays. */
export const RANDOM_TEXT = /^\/api\/v2\/api_key\b/

export interface Difference {
  /** Where the answers differ: status, headers, members of the body. */
  readonly aspects: readonly string[]
}

export function compare(
  sent: Sent,
  [first, second]: readonly [Received, Received],
): Difference | undefined {
  const aspects = [
    ...(first.status === second.status ? [] : [`status ${first.status} ${second.status}`]),
    ...bodyAspects(first, second),
  ]
  // Of a body that differs these follow from it; the length is also that of a time, or of none.
  const follows = new Set(aspects.length > 0 ? ['content-length', 'etag', 'link'] : [])
  if (RANDOM_TEXT.test(sent.path)) follows.add('content-length')
  const [left, right] = [headersOf(sent, first), headersOf(sent, second)]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  for (const name of names)
    if (left[name] !== right[name] && !follows.has(name)) aspects.push(`header ${name}`)
  return aspects.length === 0 ? undefined : { aspects }
}

function headersOf({ path }: Sent, { headers }: Received): Readonly<Record<string, string>> {
  const masked = new Set(MASKS.flatMap((mask) => mask.headers ?? []))
  const entries = Object.entries(headers)
    .filter(([name]) => !masked.has(name))
    .map(([name, value]) => [name, String(value)] as const)
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      name === 'etag' && RANDOM_TEXT.test(path)
        ? value.replace(/\.[0-9a-f]+"$/, '"')
        : value.replaceAll(NONCE, ''),
    ]),
  )
}

function bodyAspects(first: Received, second: Received): string[] {
  const [left, right] = [maskedBody(first), maskedBody(second)]
  if (left === right) return []
  const [one, other] = [parse(left), parse(right)]
  if (one === undefined || other === undefined) return ['body']
  const found = new Set<string>()
  collect(one, other, { path: '', found })
  return found.size === 0 ? ['body'] : [...found].slice(0, 6)
}

export function maskedBody({ bytes }: Received): string {
  let text = bytes.toString('latin1')
  for (const { body } of MASKS) if (body !== undefined) text = text.replace(latin(body[0]), body[1])
  return text
}

/** Bodies are compared byte by byte, so each byte is a character here. */
function latin({ source }: RegExp): RegExp {
  return new RegExp(source.replace('…', Buffer.from('…').toString('latin1')), 'g')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'latin1').toString())
  } catch {
    return undefined
  }
}

interface Place {
  readonly path: string
  readonly found: Set<string>
}

/** Members by their path, with * for any place in a list. */
function collect(left: any, right: any, { path, found }: Place): void {
  if (JSON.stringify(left) === JSON.stringify(right)) return
  const areWhole = [left, right].every((value) => typeof value === 'object' && value !== null)
  if (!areWhole || Array.isArray(left) !== Array.isArray(right)) {
    found.add(path)
    return
  }
  if (Array.isArray(left) && left.length !== right.length) {
    found.add(`${path}/*`)
    return
  }
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  for (const name of names) {
    const at = `${path}/${Array.isArray(left) ? '*' : name}`
    collect(left[name], right[name], { path: at, found })
  }
}
