// The hint in a 404 response: the address that was probably meant (a trailing slash, a plural, capitals, another version),
// or where objects of this kind are. The hint depends only on the routes, never on stored data.

import type { FindHint } from '../http/router.ts'
import { closest } from '../schema/message-text.ts'
import type { Route } from './request/route.ts'

/** Prefixes every address in a hint with `basePath`. */
export function openAddressHint(routes: readonly Route[], basePath: string): FindHint {
  const families = [...new Set(routes.map(({ path }) => familyOf(path)))].filter(
    (name): name is string => name !== undefined,
  )
  const places = placesIn(basePath)
  return (target, isKnown) => {
    const path = target.split('?', 1)[0] ?? ''
    const tries = [withoutSlash(path), inFamily(withoutSlash(path), families)]
    const near = tries.find((each) => each !== path && each !== '' && isKnown(each))
    if (near !== undefined) return `Did you mean ${basePath}${near}?`
    return places.find(({ where }) => where.test(path))?.hint
  }
}

interface PlaceHint {
  readonly where: RegExp
  readonly hint: string
}

function placesIn(base: string): readonly PlaceHint[] {
  const documents = `The OpenAPI documents are at ${base}/public/api/system/swagger.json and ${base}/public/api/module/swagger.json.`
  return [
    {
      where: /^\/api(\/v\d+)?\/?$/i,
      hint: `Objects are at ${base}/api/v2/{object}, for example ${base}/api/v2/asset_file. ${documents}`,
    },
    {
      where: /^\/api\/v2\/module(\/|$)/i,
      hint: `Entries are at the module_url of their datatable or calendar; see ${base}/api/v2/datatable and ${base}/api/v2/calendar.`,
    },
    {
      where: /^\/file(\/|$)/i,
      hint: `A file is at ${base}/file/{asset_file_id}/{name}, which is the url in its record, or at ${base}/file/{asset_category_id}/{name}.`,
    },
    {
      where: /^\/public\/api\/|^(\/api)?(\/v\d+)?\/(swagger|openapi|api-docs)\b/i,
      hint: documents,
    },
  ]
}

/** The path segment after /api/v2/. */
function familyOf(path: string): string | undefined {
  return /^\/api\/v2\/(\w+)/.exec(path)?.[1]
}

/** Removes empty segments. A regular expression for trailing slashes would take quadratic time for many slashes. */
function withoutSlash(path: string): string {
  return path
    .split('/')
    .filter((part, at) => part !== '' || at === 0)
    .join('/')
}

const PREFIX = /^(\/public\/api\/(?:system|module)|\/api(?:\/v?\d+)?)?\/([^/]+)(.*)$/i

function inFamily(path: string, families: readonly string[]): string {
  const [, prefix = '', name = '', rest = ''] = PREFIX.exec(path) ?? []
  const near = closest(name.replace(/ies$/i, 'y'), families)
  if (near === undefined || (prefix === '' && name.toLowerCase() !== near)) return path
  return `/api/v2/${near}${rest}`
}
