// Compares two answers and ignores random values and times.

import type { Received, Sent } from './site.ts'

/**
 * Parts of an answer that are not compared, with the reason. Identifiers are not judged either:
 * they are assigned in sequence, so the next identifier counts hidden records. Both sites have
 * therefore made the same number of records.
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
  {
    reason: 'random, and of one length',
    body: [/welcome#[\w-]{43}","token":"[\w-]{43}"/g, 'welcome#","token":""'],
  },
  { reason: 'random, and of one length', body: [/\?ticket=[\w-]{94}/g, ''] },
  { reason: 'random in each page', body: [/ nonce="[^"]+"/g, ''] },
]

/** Each page has its own nonce, also in its policy. */
const NONCE = /'nonce-[^']+'/g

/**
 * The ETag of a record contains a checksum of its text. The text of an API key is random, so only
 * the revision is compared.
 */
export const RANDOM_TEXT = /^\/api\/v2\/api_key\b/

export interface Difference {
  /** The places where the answers differ: status, headers, members of the body. */
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
  // These headers follow from a body that differs. The length also changes with a time or with its
  // absence.
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

/** Bodies are compared as latin1, so each byte is a character. */
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

/** Collects the paths of differing members, with * for any index of a list. */
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
