// Processes that read beside a server of a test, which writes: the compiled program, as the server itself would begin
// it.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../lib/config/config.ts'

const MAIN = fileURLToPath(new URL('../../lib/main.js', import.meta.url))

/** So many processes in all, where nothing else is said: to ask all tests of a server of several. */
export const USUAL_PROCESSES = Number(process.env['TEST_PROCESSES'] ?? 1)

const FLAGS: readonly (readonly [keyof Config, string, (value: any) => string])[] = [
  ['baseUrl', '--base-url', String],
  ['corsOrigins', '--cors-origin', (origins: readonly string[]) => origins.join(',')],
  ['docs', '--docs', String],
  ['rateLimit', '--rate-limit', String],
  // The only one that tests trust: trust-loopback.ts.
  ['proxies', '--trust-proxy', () => 'loopback'],
  ['maxConnections', '--max-connections', String],
  ['maxConnectionsPerAddress', '--max-connections-per-address', String],
]

/** What it tells of the ways in; all else of them is handed over. */
function oidcFlags({ oidc: { issuer, clientId } }: Config): readonly string[] {
  if (issuer === undefined || clientId === undefined) return []
  return ['--oidc-issuer', issuer, '--oidc-client-id', clientId]
}

export function forkReader(config: Config): ChildProcess {
  const own = FLAGS.flatMap(([name, flag, textOf]) => {
    const text = config[name] === undefined ? '' : textOf(config[name])
    return text === '' ? [] : [flag, text]
  })
  const all = [
    '--data',
    config.dataDir,
    '--processes',
    String(config.processes),
    ...own,
    ...oidcFlags(config),
  ]
  return fork(MAIN, ['read-beside', ...all, '--log-level', 'error'])
}
