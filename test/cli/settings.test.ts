// Numeric settings: the minimum and maximum are accepted; one less and one more are rejected. The tests parse
// the arguments in this process, because cli/start tests once that `start` ends with 2.

import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Command } from 'commander'
import { addServerOptions, buildConfig, type Config } from '../../lib/config/config.ts'
import { findUnknownVariables, removeForeignVariables } from '../../lib/config/environment.ts'
import { temporaryDirectory } from '../helpers/server.ts'

const MIB = 1024 * 1024
const DAY_MS = 86_400_000

function commandOf(): Command {
  return addServerOptions(new Command('start'))
    .exitOverride()
    .configureOutput({ writeErr() {} })
}

function configOf(...args: readonly string[]): Config {
  return buildConfig(commandOf().parse(args, { from: 'user' }).opts())
}

interface Setting {
  readonly flag: string
  readonly least: number
  readonly most: number
  /** The default value, and the resulting value in the configuration. */
  readonly usual: number
  readonly read: (config: Config) => number
  readonly unit?: number
}

const SETTINGS: readonly Setting[] = [
  { flag: '--port', least: 0, most: 65_535, usual: 8_080, read: (config) => config.port },
  {
    flag: '--workers',
    least: 1,
    most: 64,
    usual: Math.min(4, Math.max(3, availableParallelism())),
    read: (config) => config.workers,
  },
  {
    flag: '--processes',
    least: 1,
    most: 64,
    usual: Math.min(8, Math.max(1, availableParallelism() - 1)),
    read: (config) => config.processes,
  },
  {
    flag: '--max-upload-mb',
    least: 1,
    most: 1_048_576,
    usual: 1_024,
    read: (config) => config.maxUploadBytes,
    unit: MIB,
  },
  {
    flag: '--upload-hours',
    least: 1,
    most: 8_760,
    usual: 24,
    read: (config) => config.uploadMs,
    unit: 3_600_000,
  },
  {
    flag: '--max-connections',
    least: 1,
    most: 1_000_000,
    usual: 4_096,
    read: (config) => config.maxConnections,
  },
  {
    flag: '--max-connections-per-address',
    least: 0,
    most: 1_000_000,
    usual: 128,
    read: (config) => config.maxConnectionsPerAddress,
  },
  { flag: '--rate-limit', least: 0, most: 1_000_000, usual: 0, read: (config) => config.rateLimit },
  {
    flag: '--content-cache-mb',
    least: 256,
    most: 1_048_576,
    usual: 10_240,
    read: (config) => config.contentCacheBytes,
    unit: MIB,
  },
  {
    flag: '--picture-cache-mb',
    least: 16,
    most: 1_048_576,
    usual: 1_024,
    read: (config) => config.pictureCacheBytes,
    unit: MIB,
  },
  {
    flag: '--drain-seconds',
    least: 0,
    most: 3_600,
    usual: 30,
    read: (config) => config.drainTimeoutMs,
    unit: 1_000,
  },
  { flag: '--audit-days', least: 0, most: 36_500, usual: 400, read: (config) => config.auditDays },
  {
    flag: '--audit-rows',
    least: 0,
    most: 100_000_000,
    usual: 0,
    read: (config) => config.auditRows,
  },
  {
    flag: '--commit-seconds',
    least: 1,
    most: 3_600,
    usual: 30,
    read: (config) => config.commitTimeoutMs,
    unit: 1_000,
  },
  {
    flag: '--min-free-mb',
    least: 0,
    most: 1_048_576,
    usual: 1_024,
    read: (config) => config.headroom.minFreeBytes,
    unit: MIB,
  },
  {
    flag: '--min-free-percent',
    least: 0,
    most: 50,
    usual: 5,
    read: (config) => config.headroom.minFreeRatio,
    unit: 0.01,
  },
  {
    flag: '--scrub-days',
    least: 0,
    most: 3_650,
    usual: 30,
    read: (config) => config.scrub.everyMs,
    unit: DAY_MS,
  },
  {
    flag: '--scrub-mb-per-second',
    least: 1,
    most: 10_000,
    usual: 4,
    read: (config) => config.scrub.bytesPerSecond,
    unit: MIB,
  },
]

for (const { flag, least, most, usual, read, unit = 1 } of SETTINGS) {
  test(`${flag} is a number from ${least} to ${most}, by default ${usual}`, () => {
    assert.equal(read(configOf()), usual * unit)
    for (const value of [least, most])
      assert.equal(read(configOf(flag, String(value))), value * unit)
    for (const value of [least - 1, most + 1])
      assert.throws(() => configOf(`${flag}=${value}`), {
        code: 'commander.invalidArgument',
        message: new RegExp(`Give a whole number from ${least} to ${most}\\.`),
      })
  })
}

// An empty --host would listen on all addresses, and an empty --data would mean the working directory.
for (const flag of ['--host', '--data']) {
  test(`${flag} must not be empty`, () => {
    const refusal = { code: 'commander.invalidArgument', message: /Give .*leave it out/ }
    for (const empty of ['', ' ']) assert.throws(() => configOf(flag, empty), refusal)
  })
}

test('an empty variable and the address of a service named "cms" keep the defaults', (t) => {
  const given = { CMS_HOST: '', CMS_DATA: ' ', CMS_READ_ONLY: '', CMS_PORT: 'tcp://10.0.0.1:80' }
  const usual = configOf()
  t.after(() => {
    for (const name of Object.keys(given)) delete process.env[name]
  })
  Object.assign(process.env, given)
  assert.throws(() => configOf())
  assert.deepEqual(removeForeignVariables(), ['CMS_PORT'])
  assert.deepEqual(configOf(), usual)
})

test('an identity provider needs an https or loopback address and a client identifier', () => {
  const id = ['--oidc-client-id', 'cms'] as const
  for (const issuer of [
    'https://login.example.org/realm',
    'http://localhost:9/',
    'http://[::1]:9',
  ]) {
    const { oidc } = configOf('--oidc-issuer', issuer, ...id)
    assert.deepEqual(oidc, { issuer, clientId: 'cms', clientSecret: undefined })
  }
  for (const issuer of [
    'http://login.example.org',
    'login.example.org',
    'https://a.example/?b',
    '',
  ])
    assert.throws(
      () => configOf('--oidc-issuer', issuer, ...id),
      { message: /https address/ },
      issuer,
    )
  assert.throws(() => configOf('--oidc-issuer', 'https://a.example'), { message: /together/ })
  assert.throws(() => configOf(...id), { message: /together/ })
})

test('the secret of the provider is read from its file and not shown', (t) => {
  const directory = temporaryDirectory()
  t.after(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'secret')
  const flag = ['--oidc-client-secret-file', file] as const
  const refusal = { message: /Give the path of a readable file/ }
  assert.throws(() => configOf(...flag), refusal)
  writeFileSync(file, ' \n')
  assert.throws(() => configOf(...flag), refusal)
  writeFileSync(file, 'canary-secret\n')
  assert.equal(configOf(...flag).oidc.clientSecret, 'canary-secret')

  process.env['CMS_OIDC_CLIENT_SECRET_FILE'] = file
  t.after(() => delete process.env['CMS_OIDC_CLIENT_SECRET_FILE'])
  const command = commandOf()
  command.parse([], { from: 'user' })
  assert.equal(buildConfig(command.opts()).oidc.clientSecret, 'canary-secret')
  assert.doesNotMatch(command.helpInformation(), /canary/)
})

test('an unknown variable is found, for example a mistyped one', (t) => {
  for (const name of ['CMS_DOC', 'CMS_PORT', 'CMS_KEY', 'OTHER']) {
    const before = process.env[name]
    process.env[name] = '1'
    t.after(() => (before === undefined ? delete process.env[name] : (process.env[name] = before)))
  }
  const found = findUnknownVariables(commandOf()).filter((name) => name !== 'CMS_RIG')
  assert.deepEqual(found, ['CMS_DOC'])
})

test('every numeric setting is in the table', () => {
  const numbers = commandOf().options.filter((option) => typeof option.defaultValue === 'number')
  assert.deepEqual(
    numbers.map((option) => option.long),
    SETTINGS.map(({ flag }) => flag),
  )
})

test('--read-only without a value means yes, and CMS_READ_ONLY sets it too', (t) => {
  t.after(() => delete process.env['CMS_READ_ONLY'])
  assert.equal(configOf().readOnly, false)
  assert.equal(configOf('--read-only', '--port', '1').readOnly, true)
  const values = { 1: true, yes: true, TRUE: true, 0: false, no: false, off: false }
  for (const [text, value] of Object.entries(values)) {
    process.env['CMS_READ_ONLY'] = text
    assert.equal(configOf().readOnly, value, text)
  }
  process.env['CMS_READ_ONLY'] = 'maybe'
  assert.throws(() => configOf(), { message: /Give yes or no/ })
})
