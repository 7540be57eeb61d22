// Settings of the server that are members of a group of their own in Config: see config.ts.

import { filled, issuer, secretIn } from './flag-values.ts'
import { number, setting, type Table } from './setting.ts'

const MIB = 1024 * 1024
const DAY_MS = 86_400_000

export const HEADROOM = {
  minFreeBytes: number(
    '--min-free-mb <number>',
    'minimum free disk space in MiB: below it, new content is rejected; below a quarter of it, every change except deletes; 0: no minimum',
    { from: 0, to: 1_048_576, usual: 1024, unit: MIB },
  ),
  minFreeRatio: number(
    '--min-free-percent <number>',
    'minimum free disk space in percent: below it, new content is rejected',
    { from: 0, to: 50, usual: 5, unit: 0.01 },
  ),
} satisfies Table

export const SCRUB = {
  everyMs: number(
    '--scrub-days <number>',
    'days in which the scrub compares all content with its hashes once; 0: never',
    { from: 0, to: 3_650, usual: 30, unit: DAY_MS },
  ),
  bytesPerSecond: number(
    '--scrub-mb-per-second <number>',
    'maximum read speed of the scrub, in MiB per second',
    { from: 1, to: 10_000, usual: 4, unit: MIB },
  ),
} satisfies Table

export const OIDC = {
  /** Undefined: no sign-in through an identity provider. */
  issuer: setting<string | undefined>(
    '--oidc-issuer <url>',
    'OpenID Connect provider for sign-in',
    { read: issuer },
  ),
  clientId: setting<string | undefined>(
    '--oidc-client-id <id>',
    'client identifier of this server at the provider',
    { read: filled('the client identifier from the provider') },
  ),
  /** The secret itself, not the path of its file. */
  clientSecret: setting<string | undefined>(
    '--oidc-client-secret-file <file>',
    'file with the client secret from the provider; without it, the server is a public client',
    { read: secretIn },
  ),
} satisfies Table
