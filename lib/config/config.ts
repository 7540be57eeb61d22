// Flags and environment → one frozen Config. A flag of `start` is one entry of a table below; its option, its
// variable of the same name and its member of Config follow from the entry. Defaults are written down only
// here. Values that operators cannot set are in limits.ts.

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
  requireOfNode,
} from './cluster-settings.ts'
import { findDefaultData } from './default-data.ts'
import { clusterEnvironment } from './environment.ts'
import { HEADROOM, OIDC, SCRUB } from './grouped-settings.ts'
import {
  baseUrl,
  filled,
  integer,
  locationPrefix,
  origins,
  networks,
  requireOwnHosts,
  type Site,
  sites,
  yesOrNo,
} from './flag-values.ts'
import { MAIL } from './mail-settings.ts'
import { PICTURES } from './picture-settings.ts'
import {
  type Flags,
  number,
  optionOf,
  setting,
  type Table,
  type ValuesOf,
  valuesOf,
} from './setting.ts'

/** Directory of the program, whether this file runs in lib/config, dist/lib/config or dist/server. */
const PROGRAM = dirname(fileURLToPath(import.meta.url)).replace(
  /[/\\](?:(?:dist[/\\])?lib[/\\]config|dist[/\\]server)$/,
  '',
)

/**
 * One worker per processor, at most four because each has its own heap, and at least three so that each kind of
 * work has one.
 */
const DEFAULT_WORKERS = Math.min(4, Math.max(3, availableParallelism()))

/** Leaves one processor for the commit thread and other programs. A node of a cluster is one process. */
const DEFAULT_PROCESSES = asksForCluster(process.env)
  ? 1
  : Math.min(8, Math.max(1, availableParallelism() - 1))

/** Data directory if --data is not given. */
const DEFAULT_DATA = findDefaultData({
  program: PROGRAM,
  stateHome: process.env['XDG_STATE_HOME'],
})

const MIB = 1024 * 1024

/** All settings except --data, under their names in Config, in the order of --help. */
const SETTINGS = {
  readOnly: setting(
    '--read-only [yes]',
    'serve an existing site without changing anything; also works on a read-only mount',
    { read: yesOrNo, usual: false, shown: 'no', preset: 'yes' },
  ),
  upgrade: setting(
    '--upgrade [yes]',
    'convert the data directory of an earlier version in place; make a backup first',
    { read: yesOrNo, usual: false, shown: 'no', preset: 'yes' },
  ),
  host: setting('--host <address>', 'address to listen on', {
    read: filled('an address, or 0.0.0.0 for all addresses'),
    usual: '127.0.0.1',
  }),
  port: number('--port <number>', 'port to listen on; 0: any free port', {
    from: 0,
    to: 65_535,
    usual: 8080,
  }),
  baseUrl: setting<string | undefined>(
    '--base-url <url>',
    'public address of the server, for requests that do not name it; its path is put in front of every address in responses',
    { read: baseUrl },
  ),
  corsOrigins: setting(
    '--cors-origin <origins>',
    'origins whose pages may call this server (CORS), separated by commas',
    { read: origins, usual: [], shown: 'none' },
  ),
  sites: setting<readonly Site[]>(
    '--site-origin <sites>',
    'origins that show the live files of a public folder by their paths, separated by commas: https://www.example.org=/Main/website',
    { read: sites, usual: [], shown: 'none' },
  ),
  liveTree: setting<string | undefined>(
    '--live-tree <dir>',
    'directory that always holds the live files of all sites, for a web server that serves them while this server is down',
    { read: filled('the path of a directory') },
  ),
  /** Whether the OpenAPI documents list all modules for everybody, or only the modules that the key may see. */
  docs: setting<'public' | 'keyed'>(
    '--docs <mode>',
    'which modules the API documents list: "public": all modules, for everybody; "keyed": only modules that the key may see',
    { read: ['public', 'keyed'], usual: 'public' },
  ),
  logLevel: setting<string>('--log-level <level>', 'lowest level of messages to log', {
    read: ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    usual: 'info',
  }),
  workers: number('--workers <number>', 'worker threads that hash, check and convert content', {
    from: 1,
    to: 64,
    usual: DEFAULT_WORKERS,
  }),
  processes: number(
    '--processes <number>',
    'number of processes; the first makes all changes, and the others respond to reads',
    { from: 1, to: 64, usual: DEFAULT_PROCESSES },
  ),
  maxUploadBytes: number('--max-upload-mb <number>', 'largest upload in MiB', {
    from: 1,
    to: 1_048_576,
    usual: 1024,
    unit: MIB,
  }),
  uploadMs: number(
    '--upload-hours <number>',
    'hours after which a resumable upload without progress expires',
    { from: 1, to: 8_760, usual: 24, unit: 3_600_000 },
  ),
  maxConnections: number('--max-connections <number>', 'maximum number of open connections', {
    from: 1,
    to: 1_000_000,
    usual: 4096,
  }),
  /** 0: no limit. */
  maxConnectionsPerAddress: number(
    '--max-connections-per-address <number>',
    'maximum number of open connections per address, except for trusted proxies; 0: no limit',
    { from: 0, to: 1_000_000, usual: 128 },
  ),
  /** Requests per second of one key; 0: no limit. */
  rateLimit: number(
    '--rate-limit <number>',
    'requests per second of one key; a user may send 1.5 times as many; 0: no limit',
    { from: 0, to: 1_000_000, usual: 0 },
  ),
  /** Trusted proxies; undefined: none. */
  proxies: setting<BlockList | undefined>(
    '--trust-proxy <addresses>',
    'proxies whose X-Forwarded-For, -Proto and -Host headers are trusted: addresses, networks, or "loopback"',
    { read: networks('proxies') },
  ),
  /** Networks that webhooks may reach in addition to public addresses; undefined: none. */
  webhookAllow: setting<BlockList | undefined>(
    '--webhook-allow <networks>',
    'private networks that webhooks may reach, also over plain http; "loopback" for this machine',
    { read: networks('webhook receivers') },
  ),
  /** Prefix of the path of a content in the data directory; undefined: the server sends all contents itself. */
  accelPrefix: setting<string | undefined>(
    '--accel-redirect <prefix>',
    'internal nginx location that maps to the data directory; nginx then sends the downloads that clients request through it (X-Accel-Redirect)',
    { read: locationPrefix },
  ),
  contentCacheBytes: number(
    '--content-cache-mb <number>',
    'size of the local cache of content from the store (S3_BUCKET), in MiB',
    { from: 256, to: 1_048_576, usual: 10_240, unit: MIB },
  ),
  ...PICTURES,
  drainTimeoutMs: number(
    '--drain-seconds <number>',
    'how long the server waits for running requests when it stops',
    { from: 0, to: 3_600, usual: 30, unit: 1_000 },
  ),
  /** Days until rows of the audit trail expire; 0: never. */
  auditDays: number(
    '--audit-days <number>',
    'days to keep the audit trail and the change log; 0: forever',
    { from: 0, to: 36_500, usual: 400 },
  ),
  auditRows: number(
    '--audit-rows <number>',
    'maximum number of rows in the audit trail and in the change log; the oldest rows are removed first; 0: no limit',
    { from: 0, to: 100_000_000, usual: 0 },
  ),
  /** Undefined: the default of the site, which is 30 for sites that this version or a later one has created. */
  trashDays: setting<number | undefined>(
    '--trash-days <number>',
    'days for which deleted records can be restored; 0: deleted records are removed at once; default: 30, or 0 for sites of earlier versions',
    { read: integer(0, 36_500) },
  ),
  commitTimeoutMs: number(
    '--commit-seconds <number>',
    'how long a change may wait for the disk before the response is 503',
    { from: 1, to: 3_600, usual: 30, unit: 1_000 },
  ),
} satisfies Table

export interface Config extends ValuesOf<typeof SETTINGS> {
  readonly dataDir: string
  readonly headroom: ValuesOf<typeof HEADROOM>
  readonly scrub: ValuesOf<typeof SCRUB>
  readonly oidc: ValuesOf<typeof OIDC>
  readonly mail: ValuesOf<typeof MAIL>
  /** Undefined: the site is stored in the data directory. */
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

/** Host and port of the server, for commands that call it over HTTP. */
export function listenOptions(): readonly Option[] {
  return [SETTINGS.host, SETTINGS.port].map(optionOf)
}

/** The public address of the server, for commands that print links to it. */
export function baseUrlOption(): Option {
  const option = optionOf(SETTINGS.baseUrl)
  option.description = 'public address of the server, with which the link begins'
  return option
}

/** Adds the flags of `start`. */
export function addServerOptions(command: Command): Command {
  const settings = [SETTINGS, HEADROOM, SCRUB, OIDC, MAIL].flatMap((table: Table) =>
    Object.values(table),
  )
  return settings.reduce(
    (all, item) => all.addOption(optionOf(item)),
    command.addOption(dataOption()).addHelpText('after', CLUSTER_HELP),
  )
}

export function buildConfig(flags: Flags & { readonly data: string }): Config {
  const oidc = Object.freeze(valuesOf(OIDC, flags))
  const mail = Object.freeze(valuesOf(MAIL, flags))
  requireBoth(['--oidc-issuer', '--oidc-client-id'], [oidc.issuer, oidc.clientId])
  requireBoth(['--smtp-url-file', '--mail-from'], [mail.server, mail.from])
  const values = valuesOf(SETTINGS, flags)
  requireOwnHosts(values)
  const cluster = readCluster(clusterEnvironment())
  if (cluster !== undefined) requireOfNode(values)
  return Object.freeze({
    ...values,
    dataDir: resolve(flags.data),
    headroom: Object.freeze(valuesOf(HEADROOM, flags)),
    scrub: Object.freeze(valuesOf(SCRUB, flags)),
    oidc,
    mail,
    cluster,
  })
}

function requireBoth(names: readonly string[], [first, second]: readonly unknown[]): void {
  if ((first === undefined) === (second === undefined)) return
  throw new CmsError('bad-request', `Set ${names.join(' and ')} together, or neither of them.`)
}
