// Flags and environment → one frozen Config. The only file that reads the environment, and the only
// place where a default is written down; what is no setting stands in limits.ts.

import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, Option } from 'commander'
import { findDefaultData } from './default-data.ts'
import { baseUrl, filled, integer, origins, proxies, yesOrNo } from './flag-values.ts'

/** From lib/ of the source, dist/lib/ and dist/server/ alike. */
const PROGRAM = dirname(fileURLToPath(import.meta.url)).replace(
  /[/\\](?:dist[/\\])?(?:lib|server)$/,
  '',
)

/** Each has a heap of its own: as many as there are processors, but three, so that each kind of work finds one. */
const DEFAULT_WORKERS = Math.min(4, Math.max(3, availableParallelism()))

/** The directory that holds data unless --data says otherwise. */
const DEFAULT_DATA = findDefaultData({
  program: PROGRAM,
  stateHome: process.env['XDG_STATE_HOME'],
})

const MIB = 1024 * 1024
const DAY_MS = 86_400_000

export interface Config {
  readonly dataDir: string
  /** Serves a site that there is, and changes nothing. */
  readonly readOnly: boolean
  readonly host: string
  readonly port: number
  readonly baseUrl: string | undefined
  readonly corsOrigins: readonly string[]
  /** Who gets the document of the modules: everybody, or each key what it may see. */
  readonly docs: 'public' | 'keyed'
  readonly logLevel: string
  readonly workers: number
  readonly maxUploadBytes: number
  readonly maxConnections: number
  /** 0: any number. */
  readonly maxConnectionsPerAddress: number
  /** Requests in a second of one key; 0: any number. */
  readonly rateLimit: number
  /** Whose X-Forwarded-For, -Proto and -Host are believed; undefined: nobody's. */
  readonly proxies: BlockList | undefined
  readonly drainTimeoutMs: number
  /** How long rows of the audit trail are kept; 0: for ever. */
  readonly auditDays: number
  readonly commitTimeoutMs: number
  readonly headroom: {
    readonly minFreeBytes: number
    readonly minFreeRatio: number
  }
  readonly scrub: {
    readonly everyMs: number
    readonly bytesPerSecond: number
  }
}

/** `--data`, shared by every command that works on a data directory. */
export function dataOption(): Option {
  return new Option('--data <dir>', 'data directory')
    .env('CMS_DATA')
    .default(DEFAULT_DATA)
    .makeOptionMandatory()
    .argParser(filled('the path of a directory'))
}

/** Of the other commands, and of the launcher. */
const OTHER_VARIABLES = ['CMS_KEY', 'CMS_URL', 'CMS_SOURCE']

/** What begins like a variable of the server and is none: nobody reads it, and nothing else would tell. */
export function findUnknownVariables({ options }: Command): readonly string[] {
  const known = new Set([...OTHER_VARIABLES, ...options.map(({ envVar }) => envVar)])
  return Object.keys(process.env).filter((name) => name.startsWith('CMS_') && !known.has(name))
}

/** True where systemd has started this very process, and sees to its end: TimeoutStopSec= of the unit. */
export function isMainProcessOfUnit(): boolean {
  return process.env['SYSTEMD_EXEC_PID'] === String(process.pid)
}

/** Adds the flags of `start`; each has an environment variable of the same name. */
// oxlint-disable-next-line eslint/max-lines-per-function -- a table of flags
export function addServerOptions(command: Command): Command {
  return command
    .addOption(dataOption())
    .addOption(
      new Option(
        '--read-only [yes]',
        'serve a site without changing anything in it; works on a read-only mount, too',
      )
        .env('CMS_READ_ONLY')
        .default(false, 'no')
        .preset('yes')
        .argParser(yesOrNo),
    )
    .addOption(
      new Option('--host <address>', 'address to listen on')
        .env('CMS_HOST')
        .default('127.0.0.1')
        .argParser(filled('an address, 0.0.0.0 for all of them')),
    )
    .addOption(
      new Option('--port <number>', 'port to listen on; 0: a free one')
        .env('CMS_PORT')
        .default(8080)
        .argParser(integer(0, 65_535)),
    )
    .addOption(
      new Option(
        '--base-url <url>',
        'address by which clients reach the server, where requests do not name it; a path in it is put in front of every address in an answer',
      )
        .env('CMS_BASE_URL')
        .argParser(baseUrl),
    )
    .addOption(
      new Option(
        '--cors-origin <origins>',
        'origins whose pages may call this server, separated by commas',
      )
        .env('CMS_CORS_ORIGIN')
        .default([], 'none')
        .argParser(origins),
    )
    .addOption(
      new Option(
        '--docs <mode>',
        'who is shown which modules in the documents: "public": everybody all of them; "keyed": each key those that it may see',
      )
        .env('CMS_DOCS')
        .choices(['public', 'keyed'])
        .default('public'),
    )
    .addOption(
      new Option('--log-level <level>', 'log messages of this level and of those above it')
        .env('CMS_LOG_LEVEL')
        .choices(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
        .default('info'),
    )
    .addOption(
      new Option('--workers <number>', 'threads that hash, check and convert contents')
        .env('CMS_WORKERS')
        .default(DEFAULT_WORKERS)
        .argParser(integer(1, 64)),
    )
    .addOption(
      new Option('--max-upload-mb <number>', 'largest upload, in MiB')
        .env('CMS_MAX_UPLOAD_MB')
        .default(1024)
        .argParser(integer(1, 1_048_576)),
    )
    .addOption(
      new Option('--max-connections <number>', 'connections that may be open at once')
        .env('CMS_MAX_CONNECTIONS')
        .default(4096)
        .argParser(integer(1, 1_000_000)),
    )
    .addOption(
      new Option(
        '--max-connections-per-address <number>',
        'connections that one address may have open, unless it is a trusted proxy; 0: any number',
      )
        .env('CMS_MAX_CONNECTIONS_PER_ADDRESS')
        .default(128)
        .argParser(integer(0, 1_000_000)),
    )
    .addOption(
      new Option('--rate-limit <number>', 'requests of one key in a second; 0: any number')
        .env('CMS_RATE_LIMIT')
        .default(0)
        .argParser(integer(0, 1_000_000)),
    )
    .addOption(
      new Option(
        '--trust-proxy <addresses>',
        'proxies whose X-Forwarded-For, -Proto and -Host are believed: addresses, networks, or "loopback"',
      )
        .env('CMS_TRUST_PROXY')
        .argParser(proxies),
    )
    .addOption(
      new Option(
        '--drain-seconds <number>',
        'how long running requests may take to finish when the server stops',
      )
        .env('CMS_DRAIN_SECONDS')
        .default(30)
        .argParser(integer(0, 3_600)),
    )
    .addOption(
      new Option('--audit-days <number>', 'days that the audit trail is kept; 0: for ever')
        .env('CMS_AUDIT_DAYS')
        .default(400)
        .argParser(integer(0, 36_500)),
    )
    .addOption(
      new Option(
        '--commit-seconds <number>',
        'how long a change may wait for the disk before it is answered with 503',
      )
        .env('CMS_COMMIT_SECONDS')
        .default(30)
        .argParser(integer(1, 3_600)),
    )
    .addOption(
      new Option(
        '--min-free-mb <number>',
        'free space on the disk, in MiB: with less, new content is refused; with less than a quarter of it, every change but a delete; 0: nothing is refused',
      )
        .env('CMS_MIN_FREE_MB')
        .default(1024)
        .argParser(integer(0, 1_048_576)),
    )
    .addOption(
      new Option(
        '--min-free-percent <number>',
        'free space in percent of the disk: with less, new content is refused, too',
      )
        .env('CMS_MIN_FREE_PERCENT')
        .default(5)
        .argParser(integer(0, 50)),
    )
    .addOption(
      new Option(
        '--scrub-days <number>',
        'the scrub compares all contents with their hashes once in so many days; 0: never',
      )
        .env('CMS_SCRUB_DAYS')
        .default(30)
        .argParser(integer(0, 3_650)),
    )
    .addOption(
      new Option('--scrub-mb-per-second <number>', 'how fast the scrub reads contents, in MiB')
        .env('CMS_SCRUB_MB_PER_SECOND')
        .default(4)
        .argParser(integer(1, 10_000)),
    )
}

interface ServerFlags {
  readonly data: string
  readonly readOnly: boolean
  readonly host: string
  readonly port: number
  readonly baseUrl?: string
  readonly corsOrigin: readonly string[]
  readonly docs: Config['docs']
  readonly logLevel: string
  readonly workers: number
  readonly maxUploadMb: number
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  readonly rateLimit: number
  readonly trustProxy?: BlockList
  readonly drainSeconds: number
  readonly auditDays: number
  readonly commitSeconds: number
  readonly minFreeMb: number
  readonly minFreePercent: number
  readonly scrubDays: number
  readonly scrubMbPerSecond: number
}

export function buildConfig(flags: ServerFlags): Config {
  return Object.freeze({
    dataDir: resolve(flags.data),
    readOnly: flags.readOnly,
    host: flags.host,
    port: flags.port,
    baseUrl: flags.baseUrl,
    corsOrigins: flags.corsOrigin,
    docs: flags.docs,
    logLevel: flags.logLevel,
    workers: flags.workers,
    maxUploadBytes: flags.maxUploadMb * MIB,
    maxConnections: flags.maxConnections,
    maxConnectionsPerAddress: flags.maxConnectionsPerAddress,
    rateLimit: flags.rateLimit,
    proxies: flags.trustProxy,
    drainTimeoutMs: flags.drainSeconds * 1_000,
    auditDays: flags.auditDays,
    commitTimeoutMs: flags.commitSeconds * 1_000,
    headroom: Object.freeze({
      minFreeBytes: flags.minFreeMb * MIB,
      minFreeRatio: flags.minFreePercent / 100,
    }),
    scrub: Object.freeze({
      everyMs: flags.scrubDays * DAY_MS,
      bytesPerSecond: flags.scrubMbPerSecond * MIB,
    }),
  })
}
