// Reader processes beside the server of a test, which writes. They run the compiled program, started as the
// server itself starts them.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../lib/config/config.ts'

const MAIN = fileURLToPath(new URL('../../lib/main.js', import.meta.url))

/**
 * Default number of processes; with TEST_PROCESSES all tests run against servers with several
 * processes.
 */
export const USUAL_PROCESSES = Number(process.env['TEST_PROCESSES'] ?? 1)

const FLAGS: readonly (readonly [keyof Config, string, (value: any) => string])[] = [
  ['baseUrl', '--base-url', String],
  ['corsOrigins', '--cors-origin', (origins: readonly string[]) => origins.join(',')],
  [
    'sites',
    '--site-origin',
    (sites: Config['sites']) => sites.map(({ origin, folder }) => `${origin}=${folder}`).join(','),
  ],
  [
    'picturePresets',
    '--picture-presets',
    (presets: Config['picturePresets']) =>
      [...presets]
        .map(([name, wish]) => [name, Object.entries(wish).map((each) => each.join(':'))].join('='))
        .join(';'),
  ],
  ['docs', '--docs', String],
  ['rateLimit', '--rate-limit', String],
  // The only proxy that tests trust; see trust-loopback.ts.
  ['proxies', '--trust-proxy', () => 'loopback'],
  ['maxConnections', '--max-connections', String],
  ['maxConnectionsPerAddress', '--max-connections-per-address', String],
]

/** Flags that readers need to list the ways to sign in. Readers forward sign-ins to the writer. */
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
