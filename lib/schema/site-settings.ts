// The fields of a folder that apply only on the public site: redirects and response headers.

import {
  MAX_REDIRECTS,
  MAX_REDIRECT_CHARACTERS,
  MAX_SITE_HEADER_CHARACTERS,
} from '../shared/limits.ts'
import { accept, type Checked, field, refuse, structure } from './field.ts'
import { foldName, nameFault } from './names.ts'
import type { Index, JsonObject } from './values.ts'

const REDIRECT_STATUSES = [301, 308] as const

/** Paths are relative to the folder and begin with a slash. */
export interface Redirect extends JsonObject {
  readonly from: string
  readonly to: string
  readonly status: (typeof REDIRECT_STATUSES)[number]
}

/** An empty text omits a header of a folder above, or of the server. */
export type SiteHeaders = Readonly<Record<string, string>>

/** Headers about a page. Others, such as Set-Cookie or Location, would change how the server itself answers. */
export const SITE_HEADERS = [
  'Cache-Control',
  'Content-Security-Policy',
  'Content-Security-Policy-Report-Only',
  'Cross-Origin-Embedder-Policy',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy',
  'Permissions-Policy',
  'Referrer-Policy',
  'X-Frame-Options',
  'X-Robots-Tag',
] as const

const KNOWN_HEADERS = new Set(SITE_HEADERS.map((name) => name.toLowerCase()))

export function layoutField(description: string) {
  return field(
    'optional',
    { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    'integer',
    { description, isIndexed: false },
    checkLayout,
  )
}

/** The files and folders with a layout of their own. Records of earlier builds have none. */
export const CHOSEN_LAYOUTS: Index = {
  name: 'layout',
  width: 1,
  rows: ({ layout_file_id: id }) => (typeof id === 'number' && id > 0 ? [[id]] : []),
}

function checkLayout(value: unknown): Checked<number> {
  return Number.isSafeInteger(value) && Number(value) >= 0
    ? accept(Number(value))
    : refuse('must be the identifier of an asset file, 0 for no layout, or null')
}

export const SITE_FIELDS = {
  redirects: structure(
    'optional',
    {
      type: 'array',
      maxItems: MAX_REDIRECTS,
      items: {
        type: 'object',
        required: ['from', 'to', 'status'],
        additionalProperties: false,
        properties: {
          from: { type: 'string', pattern: '^/' },
          to: { type: 'string', minLength: 1 },
          status: { type: 'integer', enum: [...REDIRECT_STATUSES] },
        },
      },
    },
    checkRedirects,
    {
      description:
        'Redirects on the site for paths of this folder that have no live file. Both paths begin with a slash and are ' +
        `relative to the folder; to can also be an address with http or https. A /* at the end of from matches the rest of every path, and a /* at the end of to inserts this rest. At most ${MAX_REDIRECTS} redirects. A change needs the grant publish.`,
    },
  ),
  site_headers: structure(
    'optional',
    { type: 'object', additionalProperties: { type: 'string' } },
    checkHeaders,
    {
      description:
        'Headers of the live files of this folder and the folders below it on the site; the nearest folder decides, and "" omits a ' +
        `header. Allowed: ${SITE_HEADERS.join(', ')}. A change needs the grant publish.`,
    },
  ),
  layout_file_id: layoutField(
    'The layout of the pages of this folder and the folders below it on the site: the identifier of a live file of type html or stml ' +
      'with [page_content]. 0: no layout. Null: as in the parent folder. A change needs the grant publish.',
  ),
}

function checkRedirects(value: unknown): Checked<readonly Redirect[]> {
  if (!Array.isArray(value) || value.length > MAX_REDIRECTS)
    return refuse(`must be a list of at most ${MAX_REDIRECTS} redirects`)
  const redirects: Redirect[] = []
  const known = new Set<string>()
  let characters = 0
  for (const [at, item] of (value as readonly unknown[]).entries()) {
    const checked = checkRedirect(item)
    if (typeof checked === 'string') return refuse(`${checked} (redirect ${at + 1})`)
    const key = keyOf(checked.from)
    if (known.has(key)) return refuse(`must not have two redirects from ${checked.from}`)
    known.add(key)
    redirects.push(checked)
    characters += checked.from.length + checked.to.length
  }
  return characters > MAX_REDIRECT_CHARACTERS
    ? refuse(`may have at most ${MAX_REDIRECT_CHARACTERS} characters in all paths together`)
    : accept(redirects)
}

function checkRedirect(item: unknown): Redirect | string {
  if (typeof item !== 'object' || item === null)
    return 'must contain objects like {"from": "/old", "to": "/new", "status": 308}'
  const { from, to, status, ...others } = item as Record<string, unknown>
  const [other] = Object.keys(others)
  if (other !== undefined) return `has the unknown member ${other}; known are from, to and status`
  if (typeof from !== 'string' || typeof to !== 'string') return 'must have texts as from and to'
  const fault = fromFault(from) ?? toFault(to) ?? loopFault(from, to)
  if (fault !== undefined) return fault
  return status === 301 || status === 308 ? { from, to, status } : 'must have the status 301 or 308'
}

function fromFault(from: string): string | undefined {
  if (!from.startsWith('/')) return 'must have a path in from that begins with a slash'
  if (/[\s?#]/.test(from)) return 'must not have blanks (write %20), a query or a fragment in from'
  const names = namesOf(withoutRest(from))
  if (names === undefined) return 'must have a percent-encoded UTF-8 path in from'
  const fault = names.flatMap((name) => faultOf(name) ?? [])[0]
  return fault && `has a name in from that ${fault}`
}

function faultOf(name: string): string | undefined {
  return name.includes('*')
    ? 'must not contain a "*", which is possible only as /* at the end'
    : nameFault(name)
}

function toFault(to: string): string | undefined {
  const plain = withoutRest(to)
  if (plain.includes('*')) return 'must have a * in to only as /* at the end'
  if (/[\s\\\u0000-\u001f\u007f]/.test(to))
    return 'must not have blanks, backslashes or control characters in to'
  if (to.startsWith('/')) {
    if (to.startsWith('//'))
      return 'must have a path in to that begins with one slash, or an address with https'
    return /(?:^|\/)\.{1,2}(?:\/|$)/.test(plain)
      ? 'must not have the names . and .. in to'
      : undefined
  }
  const url = URL.canParse(plain) ? new URL(plain) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return 'must have a path that begins with a slash in to, or an address with http or https'
  return url.username === '' && url.password === ''
    ? undefined
    : 'must not have a name or a password in to'
}

function loopFault(from: string, to: string): string | undefined {
  if (hasRest(to) && !hasRest(from)) return 'must have /* in from, because to ends with /*'
  if (!to.startsWith('/')) return undefined
  const [source, target] = [keyOf(withoutRest(from)), keyOf(withoutRest(to))]
  const isInside = target === source || target.startsWith(`${source}/`) || source === ''
  const leadsBack = hasRest(to) ? isInside : target === source && !hasRest(from)
  return leadsBack ? 'must not lead to itself' : undefined
}

export function hasRest(path: string): boolean {
  return path.endsWith('/*')
}

export function withoutRest(path: string): string {
  return hasRest(path) ? path.slice(0, -2) : path
}

/** Undefined if the path is not percent-encoded UTF-8. A slash at the end does not matter. */
function namesOf(path: string): readonly string[] | undefined {
  try {
    return path
      .split('/')
      .slice(1)
      .map(decodeURIComponent)
      .filter((name, at, all) => name !== '' || at < all.length - 1)
  } catch {
    return undefined
  }
}

/** Two paths are alike if their keys are equal: case, Unicode form, encoding and a query do not matter. */
export function keyOf(path: string): string {
  const [plain = ''] = path.split(/[?#]/, 1)
  return (namesOf(plain) ?? [plain]).map((name) => `/${foldName(name)}`).join('')
}

function checkHeaders(value: unknown): Checked<SiteHeaders> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('must be an object like {"X-Robots-Tag": "noindex"}')
  const seen = new Set<string>()
  for (const [name, text] of Object.entries(value)) {
    const key = name.toLowerCase()
    if (!KNOWN_HEADERS.has(key))
      return refuse(`may have the headers ${SITE_HEADERS.join(', ')}; not ${name}`)
    if (seen.has(key)) return refuse(`must not have the header ${name} twice`)
    seen.add(key)
    if (text !== '' && !isHeaderText(text))
      return refuse(
        `must have 1 to ${MAX_SITE_HEADER_CHARACTERS} visible ASCII characters as the value of ${name}, or "" to omit the header`,
      )
  }
  return accept(value as SiteHeaders)
}

function isHeaderText(text: unknown): boolean {
  return (
    typeof text === 'string' &&
    text.length <= MAX_SITE_HEADER_CHARACTERS &&
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
  )
}

/** Headers of every file of a site. The pages are those of the operator, and run their own scripts. */
export const OF_SITE: SiteHeaders = Object.freeze({
  'content-security-policy': "frame-ancestors 'self'",
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'cross-origin',
})

/** Caches ask before each use of a page, so that a publish is visible at once. */
export const OF_PAGES = 'public, no-cache'
/** Pictures, styles and scripts. */
export const OF_OTHERS = 'public, max-age=60'

/** The Cache-Control of a file of a site. */
export function cacheControlOf(mediaType: string): string {
  return /^text\/html(?:;|$)/.test(mediaType) ? OF_PAGES : OF_OTHERS
}
