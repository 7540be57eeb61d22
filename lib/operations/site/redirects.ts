// The redirects that a folder lists: finds the one for a path, and the address where it leads.

import { foldName } from '../../schema/names.ts'
import { hasRest, keyOf, type Redirect, withoutRest } from '../../schema/site-settings.ts'

export interface Target {
  /** A path on the site, or an address with http or https. */
  readonly location: string
  readonly status: Redirect['status']
}

/**
 * `folderPath`: the path of the folder on the site, with a slash at its end. `names`: the decoded names below the folder. An
 * exact path comes before /*, and a longer path before a shorter one.
 */
export function matchRedirect(
  redirects: readonly Redirect[],
  { folderPath, names }: { readonly folderPath: string; readonly names: readonly string[] },
): Target | undefined {
  const byKey = new Map(redirects.map((redirect) => [keyOfSource(redirect), redirect]))
  const mostNames = Math.max(0, ...redirects.map(({ from }) => from.split('/').length - 1))
  const prefixes = ['']
  for (const name of names.slice(0, mostNames))
    prefixes.push(`${prefixes.at(-1)}/${foldName(name)}`)

  const exact = prefixes.length > names.length ? byKey.get(prefixes.at(-1) ?? '') : undefined
  if (exact !== undefined) return targetOf(exact, folderPath, [])
  for (const [depth, prefix] of [...prefixes.entries()].toReversed()) {
    const found = byKey.get(`${prefix}//`)
    if (found !== undefined) return targetOf(found, folderPath, names.slice(depth))
  }
  return undefined
}

/** No key of a path has two slashes in a row, so the two kinds never share a key. */
function keyOfSource({ from }: Redirect): string {
  return hasRest(from) ? `${keyOf(withoutRest(from))}//` : keyOf(from)
}

function targetOf({ to, status }: Redirect, folderPath: string, rest: readonly string[]): Target {
  const below = hasRest(to) ? rest.map((name) => `/${encodeURIComponent(name)}`).join('') : ''
  const plain = withoutRest(to) + below
  if (!to.startsWith('/')) return { location: new URL(plain).href, status }
  const { pathname, search, hash } = new URL(folderPath.slice(0, -1) + (plain || '/'), NOWHERE)
  return { location: pathname + search + hash, status }
}

/** The base for encoding a path. No request is sent to it. */
const NOWHERE = 'http://nowhere.invalid'
