// The version of this build, as --version, /ready and the metrics show it.

import { readFileSync } from 'node:fs'

/** Set by the bundler (packaging/version.mjs), because an installed server has no history. */
declare const CMS_BUILD: string | undefined

/** Falls back to package.json when the server runs unbundled. */
export const VERSION = typeof CMS_BUILD === 'string' ? CMS_BUILD : readVersion()

function readVersion(): string {
  const isSource = import.meta.url.endsWith('.ts')
  const url = new URL(isSource ? '../../package.json' : '../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(url, 'utf8')) as { version: string }).version
}
