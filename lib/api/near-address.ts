// The address that somebody probably meant, where there is none: a slash at the end, a plural, capitals. It
// follows from the routes alone, never from what is stored.

import { closest } from '../schema/closest.ts'
import type { Route } from './request/route.ts'

type IsKnown = (path: string) => boolean

/** Undefined where nothing is near. */
export function openNearAddress(routes: readonly Route[]) {
  const families = [...new Set(routes.map(({ path }) => familyOf(path)))].filter(
    (name): name is string => name !== undefined,
  )
  return (target: string, isKnown: IsKnown): string | undefined => {
    const path = target.split('?', 1)[0] ?? ''
    const tries = [withoutSlash(path), inFamily(withoutSlash(path), families)]
    return tries.find((near) => near !== path && near !== '' && isKnown(near))
  }
}

/** What stands behind /api/v2/. */
function familyOf(path: string): string | undefined {
  return /^\/api\/v2\/(\w+)/.exec(path)?.[1]
}

/** By its parts: an expression for slashes at the end looks at each run of them from each of its places. */
function withoutSlash(path: string): string {
  return path
    .split('/')
    .filter((part, at) => part !== '' || at === 0)
    .join('/')
}

function inFamily(path: string, families: readonly string[]): string {
  const [, prefix = '', name = '', rest = ''] = /^(\/api\/v?\d+)?\/([^/]+)(.*)$/i.exec(path) ?? []
  const near = closest(name.replace(/ies$/i, 'y'), families)
  if (near === undefined || (prefix === '' && name.toLowerCase() !== near)) return path
  return `/api/v2/${near}${rest}`
}
