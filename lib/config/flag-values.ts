// Parsers for the values of flags. An error says which value is expected.

import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { InvalidArgumentError } from 'commander'
import { CmsError } from '../base/errors.ts'

/**
 * An empty text usually comes from a variable without its value. It is rejected, because it differs from the
 * default.
 */
export function filled(what: string) {
  return (text: string): string => {
    if (text.trim() !== '') return text
    throw new InvalidArgumentError(`Give ${what}, or leave it out for the default.`)
  }
}

export function integer(from: number, to: number) {
  return (text: string): number => {
    const value = Number(text)
    // Digits only: Number reads '' as 0 and accepts hexadecimal.
    if (!/^\d{1,9}$/.test(text) || value < from || value > to) {
      throw new InvalidArgumentError(`Give a whole number from ${from} to ${to}.`)
    }
    return value
  }
}

/** Paths are appended, so the address must not have a query or a fragment, not even an empty one. */
export function baseUrl(text: string): string {
  const isBase = URL.canParse(text) && /^https?:\/\/[^?#@\s]+$/i.test(text)
  if (!isBase)
    throw new InvalidArgumentError(
      'Give an http or https address without query and fragment, such as https://cms.example.org.',
    )
  return text.replace(/\/+$/, '')
}

/** Names of this machine; other machines cannot read its connections to them. */
const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

export function isOwnHost(hostname: string): boolean {
  return OWN_NAMES.has(hostname)
}

/**
 * The issuer exactly as the provider writes it. Secrets are sent there, so plain http is allowed only on this
 * machine.
 */
export function issuer(text: string): string {
  const url = URL.canParse(text) && !/[?#@\s]/.test(text) ? new URL(text) : undefined
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isOwnHost(url.hostname))
  if (isSafe) return text
  throw new InvalidArgumentError(
    'Give the https address of the provider, such as https://login.example.org.',
  )
}

/** Reads the file at start, so that a missing file is reported before the first user signs in. */
export function secretIn(path: string): string {
  const secret = readSecret(path)
  if (secret !== undefined && secret !== '') return secret
  throw new InvalidArgumentError('Give the path of a readable file that holds the secret.')
}

/** Returns undefined for a file that cannot be read. */
export function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    // The message is the same for every reason.
    return undefined
  }
}

/** The prefix contains no character that needs escaping or that has a special meaning to a proxy. */
export function locationPrefix(text: string): string {
  if (/^\/(?:[\w~-][\w.~-]*\/)+$/.test(text)) return text
  throw new InvalidArgumentError(
    'Give the path of a location that begins and ends with a slash and contains only letters, digits, "-", "_", "." and "~", such as /contents/.',
  )
}

const EXAMPLE_ORIGIN = 'https://www.example.org'

/** Browsers send an origin in exactly this form; any other text would never match. */
export function origins(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  return names.filter(Boolean).map((name) => {
    const url = URL.canParse(name) ? new URL(name) : undefined
    const origin = /^https?:$/.test(url?.protocol ?? '') ? url?.origin : undefined
    const isPattern = name.includes('*')
    if (origin === name && !isPattern) return name
    const hint = isPattern ? EXAMPLE_ORIGIN : (origin ?? EXAMPLE_ORIGIN)
    throw new InvalidArgumentError(
      `Give each origin as browsers send it, without a path and without "*", such as ${hint}.`,
    )
  })
}

/** A host that shows the live files of a public folder by their paths. */
export interface Site {
  /** As browsers send it: https://www.example.org */
  readonly origin: string
  /** The path of the root folder, as in /Main/website. */
  readonly folder: string
}

/** Sites without a folder show the root folder. Names of folders may contain commas. */
export function sites(text: string): readonly Site[] {
  const found = text.split(/,(?=\s*https?:\/\/)/).map((item) => siteIn(item.trim()))
  const hosts = found.map(({ origin }) => new URL(origin).host)
  const twice = found.find((_, at) => hosts.indexOf(hosts[at] ?? '') < at)
  if (twice === undefined) return found
  throw new InvalidArgumentError(
    `Give each host once; the host of ${twice.origin} has two folders.`,
  )
}

function siteIn(text: string): Site {
  const [, origin = text, folder = '/Main'] = /^([^=]*)=(.*)$/.exec(text) ?? []
  origins(origin)
  if (/^\/[^/]+(?:\/[^/]+)*$/.test(folder) && origin !== '') return { origin, folder }
  throw new InvalidArgumentError(
    `Give each site as its origin and the path of its folder, such as ${EXAMPLE_ORIGIN}=/Main/website.`,
  )
}

interface Hosts {
  readonly sites: readonly Site[]
  readonly corsOrigins: readonly string[]
  readonly baseUrl: string | undefined
}

/** A page of a site runs its own scripts, so a site is neither on the host of the API nor trusted there. */
export function requireOwnHosts({ sites: all, corsOrigins, baseUrl: base }: Hosts): void {
  for (const { origin } of all) {
    // Cookies do not distinguish ports.
    if (base !== undefined && new URL(base).hostname === new URL(origin).hostname)
      throw new CmsError(
        'bad-request',
        `--site-origin ${origin} has the host of --base-url. Give the site a host of its own.`,
      )
    if (corsOrigins.includes(origin))
      throw new CmsError(
        'bad-request',
        `--cors-origin names ${origin}, which is a site. Pages of a site may not call the API; they read public content without --cors-origin.`,
      )
  }
}

const LOOPBACK = ['127.0.0.0/8', '::1']

/** Addresses and networks (192.0.2.0/24), separated by commas; `loopback` is this machine. */
export function networks(whose: string): (text: string) => BlockList {
  return (text) => parseNetworks(text, whose)
}

function parseNetworks(text: string, whose: string): BlockList {
  const list = new BlockList()
  const items = text.split(',').map((item) => item.trim())
  for (const item of items.flatMap((name) => (name === 'loopback' ? LOOPBACK : name))) {
    const [address = '', prefix] = item.split('/', 2)
    const version = isIP(address)
    const isNetwork =
      prefix === undefined ||
      (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
    if (version === 0 || !isNetwork || item.split('/').length > 2)
      throw new InvalidArgumentError(
        `Give addresses or networks of ${whose}, such as 192.0.2.7,10.0.0.0/8, or "loopback".`,
      )
    const family = version === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(address, Number(prefix ?? (version === 4 ? 32 : 128)), family)
  }
  return list
}

/** Value of a switch. A variable that is set to 0 or "no" counts as off. */
export function yesOrNo(text: string): boolean {
  const value = text.trim().toLowerCase()
  if (['yes', 'true', '1', 'on'].includes(value)) return true
  if (['no', 'false', '0', 'off'].includes(value)) return false
  throw new InvalidArgumentError('Give yes or no.')
}
