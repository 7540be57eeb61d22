// Flags and environment → one frozen Config. A flag of `start` is one entry of a table below, and all else
// follows: its option, its variable of the same name, its member of Config. The only place where a default is written down; what is no setting stands in limits.ts.

import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, Option } from 'commander'
import { CmsError } from '../base/errors.ts'
import {
  asksForCluster,
  CLUSTER_HELP,
  type ClusterSettings,
  readCluster,
  requireCluster,
  requireOfNode,
} from './cluster-settings.ts'
import { findDefaultData } from './default-data.ts'
import {
  baseUrl,
  filled,
  issuer,
  locationPrefix,
  origins,
  networks,
  secretIn,
  yesOrNo,
} from './flag-values.ts'
import {
  type Flags,
  number,
  optionOf,
  setting,
  type Table,
  type ValuesOf,
  valuesOf,
} from './setting.ts'

/** The directory of the program, whether this file runs in lib/config, dist/lib/config or dist/server. */
const PROGRAM = dirname(fileURLToPath(import.meta.url)).replace(
  /[/\\](?:(?:dist[/\\])?lib[/\\]config|dist[/\\]server)$/,
  '',
)

/** Each has a heap of its own: as many as there are processors, but three, so that each kind of work finds one. */
const DEFAULT_WORKERS = Math.min(4, Math.max(3, availableParallelism()))

/** One beside the others of the machine, and beside the thread that commits. A node of a cluster is one process. */
const DEFAULT_PROCESSES = asksForCluster(process.env)
  ? 1
  : Math.min(8, Math.max(1, availableParallelism() - 1))

/** The directory that holds data unless --data says otherwise. */
const DEFAULT_DATA = findDefaultData({
  program: PROGRAM,
  stateHome: process.env['XDG_STATE_HOME'],
})

const MIB = 1024 * 1024
const DAY_MS = 86_400_000

/** All but --data, under the names that Config has for them, in the order of --help. */
const SETTINGS = {
  /** Serves a site that there is, and changes nothing. */
  readOnly: setting(
    '--read-only [yes]',
    'serve a site without changing anything in it; works on a read-only mount, too',
    { read: yesOrNo, usual: false, shown: 'no', preset: 'yes' },
  ),
  /** Converts a data directory of an earlier format. */
  upgrade: setting(
    '--upgrade [yes]',
    'convert a data directory that an earlier version wrote, in place; make a backup of it first',
    { read: yesOrNo, usual: false, shown: 'no', preset: 'yes' },
  ),
  host: setting('--host <address>', 'address to listen on', {
    read: filled('an address, 0.0.0.0 for all of them'),
    usual: '127.0.0.1',
  }),
  port: number('--port <number>', 'port to listen on; 0: a free one', {
    from: 0,
    to: 65_535,
    usual: 8080,
  }),
  baseUrl: setting<string | undefined>(
    '--base-url <url>',
    'address by which clients reach the server, where requests do not name it; a path in it is put in front of every address in an answer',
    { read: baseUrl },
  ),
  corsOrigins: setting(
    '--cors-origin <origins>',
    'origins whose pages may call this server, separated by commas',
    { read: origins, usual: [], shown: 'none' },
  ),
  /** Who gets the document of the modules: everybody, or each key what it may see. */
  docs: setting<'public' | 'keyed'>(
    '--docs <mode>',
    'who is shown which modules in the documents: "public": everybody all of them; "keyed": each key those that it may see',
    { read: ['public', 'keyed'], usual: 'public' },
  ),
  logLevel: setting<string>(
    '--log-level <level>',
    'log messages of this level and of those above it',
    { read: ['fatal', 'error', 'warn', 'info', 'debug', 'silent'], usual: 'info' },
  ),
  workers: number('--workers <number>', 'threads that hash, check and convert contents', {
    from: 1,
    to: 64,
    usual: DEFAULT_WORKERS,
  }),
  processes: number(
    '--processes <number>',
    'processes that answer reads; the first of them makes all changes',
    { from: 1, to: 64, usual: DEFAULT_PROCESSES },
  ),
  maxUploadBytes: number('--max-upload-mb <number>', 'largest upload, in MiB', {
    from: 1,
    to: 1_048_576,
    usual: 1024,
    unit: MIB,
  }),
  maxConnections: number('--max-connections <number>', 'connections that may be open at once', {
    from: 1,
    to: 1_000_000,
    usual: 4096,
  }),
  /** 0: any number. */
  maxConnectionsPerAddress: number(
    '--max-connections-per-address <number>',
    'connections that one address may have open, unless it is a trusted proxy; 0: any number',
    { from: 0, to: 1_000_000, usual: 128 },
  ),
  /** Requests in a second of one key; 0: any number. */
  rateLimit: number(
    '--rate-limit <number>',
    'requests of one key in a second, and half as many more of one user; 0: any number',
    {
      from: 0,
      to: 1_000_000,
      usual: 0,
    },
  ),
  /** Whose X-Forwarded-For, -Proto and -Host are believed; undefined: nobody's. */
  proxies: setting<BlockList | undefined>(
    '--trust-proxy <addresses>',
    'proxies whose X-Forwarded-For, -Proto and -Host are believed: addresses, networks, or "loopback"',
    { read: networks('proxies') },
  ),
  /** To which webhooks may send besides public addresses; undefined: to none. */
  webhookAllow: setting<BlockList | undefined>(
    '--webhook-allow <networks>',
    'addresses of private networks, or "loopback", to which webhooks may send, too; to these by http as well',
    { read: networks('the receivers of webhooks') },
  ),
  /** In front of the place of a content in the data directory; undefined: the server sends all itself. */
  accelPrefix: setting<string | undefined>(
    '--accel-redirect <prefix>',
    'internal location of nginx under which the data directory lies: downloads that nginx asks for are left to it (X-Accel-Redirect)',
    { read: locationPrefix },
  ),
  contentCacheBytes: number(
    '--content-cache-mb <number>',
    'how much of the contents in the store (S3_BUCKET) is kept in the data directory, in MiB',
    { from: 256, to: 1_048_576, usual: 10_240, unit: MIB },
  ),
  drainTimeoutMs: number(
    '--drain-seconds <number>',
    'how long running requests may take to finish when the server stops',
    { from: 0, to: 3_600, usual: 30, unit: 1_000 },
  ),
  /** How long rows of the audit trail are kept; 0: for ever. */
  auditDays: number(
    '--audit-days <number>',
    'days that the audit trail, and with it the log of changes, is kept; 0: for ever',
    { from: 0, to: 36_500, usual: 400 },
  ),
  auditRows: number(
    '--audit-rows <number>',
    'rows of the audit trail that are kept at most, and with it of the log of changes: the oldest go first; 0: any number',
    { from: 0, to: 100_000_000, usual: 0 },
  ),
  commitTimeoutMs: number(
    '--commit-seconds <number>',
    'how long a change may wait for the disk before it is answered with 503',
    { from: 1, to: 3_600, usual: 30, unit: 1_000 },
  ),
} satisfies Table

const HEADROOM = {
  minFreeBytes: number(
    '--min-free-mb <number>',
    'free space on the disk, in MiB: with less, new content is refused; with less than a quarter of it, every change but a delete; 0: nothing is refused',
    { from: 0, to: 1_048_576, usual: 1024, unit: MIB },
  ),
  minFreeRatio: number(
    '--min-free-percent <number>',
    'free space in percent of the disk: with less, new content is refused, too',
    { from: 0, to: 50, usual: 5, unit: 0.01 },
  ),
} satisfies Table

const SCRUB = {
  everyMs: number(
    '--scrub-days <number>',
    'the scrub compares all contents with their hashes once in so many days; 0: never',
    { from: 0, to: 3_650, usual: 30, unit: DAY_MS },
  ),
  bytesPerSecond: number(
    '--scrub-mb-per-second <number>',
    'how fast the scrub reads contents, in MiB',
    { from: 1, to: 10_000, usual: 4, unit: MIB },
  ),
} satisfies Table

const OIDC = {
  /** Undefined: nobody signs in by a provider of identities. */
  issuer: setting<string | undefined>(
    '--oidc-issuer <url>',
    'provider of OpenID Connect by which people may sign in, too',
    { read: issuer },
  ),
  clientId: setting<string | undefined>(
    '--oidc-client-id <id>',
    'by which the provider knows this server',
    { read: filled('the identifier that the provider has given') },
  ),
  /** The secret itself, and not the path of its file. */
  clientSecret: setting<string | undefined>(
    '--oidc-client-secret-file <file>',
    'file that holds what the provider has given as the secret; without it the server is a public client',
    { read: secretIn },
  ),
} satisfies Table

export interface Config extends ValuesOf<typeof SETTINGS> {
  readonly dataDir: string
  readonly headroom: ValuesOf<typeof HEADROOM>
  readonly scrub: ValuesOf<typeof SCRUB>
  readonly oidc: ValuesOf<typeof OIDC>
  /** Undefined: the site lies in the data directory. */
  readonly cluster: ClusterSettings | undefined
}

/** `--data`, shared by every command that works on a data directory. */
export function dataOption(): Option {
  return new Option('--data <dir>', 'data directory')
    .env('CMS_DATA')
    .default(DEFAULT_DATA)
    .makeOptionMandatory()
    .argParser(filled('the path of a directory'))
}

/** Where the server listens, for commands that ask it over HTTP. */
export function listenOptions(): readonly Option[] {
  return [SETTINGS.host, SETTINGS.port].map(optionOf)
}

/** Adds the flags of `start`. */
export function addServerOptions(command: Command): Command {
  const settings = [SETTINGS, HEADROOM, SCRUB, OIDC].flatMap((table: Table) => Object.values(table))
  return settings.reduce(
    (all, item) => all.addOption(optionOf(item)),
    command.addOption(dataOption()).addHelpText('after', CLUSTER_HELP),
  )
}

export function buildConfig(flags: Flags & { readonly data: string }): Config {
  const oidc = Object.freeze(valuesOf(OIDC, flags))
  const isHalf = (oidc.issuer === undefined) !== (oidc.clientId === undefined)
  if (isHalf) throw new CmsError('bad-request', 'Give --oidc-issuer and --oidc-client-id together.')
  const cluster = readCluster(process.env)
  const values = valuesOf(SETTINGS, flags)
  if (cluster !== undefined) requireOfNode(values)
  return Object.freeze({
    ...values,
    dataDir: resolve(flags.data),
    headroom: Object.freeze(valuesOf(HEADROOM, flags)),
    scrub: Object.freeze(valuesOf(SCRUB, flags)),
    oidc,
    cluster,
  })
}

export const clusterOf = (given: NodeJS.ProcessEnv) => requireCluster({ ...process.env, ...given })
