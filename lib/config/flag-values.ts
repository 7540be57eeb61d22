// The text of a flag → its value, or what to give instead.

import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { InvalidArgumentError } from 'commander'

/** Empty is what a variable is whose value was forgotten, and means something else than the default. */
export function filled(what: string) {
  return (text: string): string => {
    if (text.trim() !== '') return text
    throw new InvalidArgumentError(`Give ${what}; for the default leave it out.`)
  }
}

export function integer(from: number, to: number) {
  return (text: string): number => {
    const value = Number(text)
    // Digits alone: Number reads '' as 0, and hexadecimal too.
    if (!/^\d{1,9}$/.test(text) || value < from || value > to) {
      throw new InvalidArgumentError(`Give a whole number from ${from} to ${to}.`)
    }
    return value
  }
}

/** Paths are put behind it, so it can have no query and no fragment, be they empty. */
export function baseUrl(text: string): string {
  const isBase = URL.canParse(text) && /^https?:\/\/[^?#@\s]+$/i.test(text)
  if (!isBase)
    throw new InvalidArgumentError(
      'Give an address with http or https, a path at most behind it, like https://cms.example.org.',
    )
  return text.replace(/\/+$/, '')
}

/** Names of this machine, whose connections nobody else sees. */
const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

/** As the provider writes it. Secrets go there, so not in the clear, but on this machine. */
export function issuer(text: string): string {
  const url = URL.canParse(text) && !/[?#@\s]/.test(text) ? new URL(text) : undefined
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && OWN_NAMES.has(url.hostname))
  if (isSafe) return text
  throw new InvalidArgumentError(
    'Give the address of the provider with https, like https://login.example.org.',
  )
}

/** Read at the start: a file that is not there is no surprise for the first who signs in. */
export function secretIn(path: string): string {
  const secret = readSecret(path)
  if (secret !== undefined && secret !== '') return secret
  throw new InvalidArgumentError('Give the path of a file that can be read and holds the secret.')
}

function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    // Whatever the reason: it is told what to give instead.
    return undefined
  }
}

/** Nothing in it needs an escape, or means something else to a proxy that reads it. */
export function locationPrefix(text: string): string {
  if (/^\/(?:[\w~-][\w.~-]*\/)+$/.test(text)) return text
  throw new InvalidArgumentError(
    'Give the path of a location, with a slash at both ends and of letters, digits, "-", "_", ".", "~" in between, like /contents/.',
  )
}

const EXAMPLE_ORIGIN = 'https://www.example.org'

/** Browsers send an origin in exactly this form; anything else would never match. */
export function origins(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  return names.filter(Boolean).map((name) => {
    const url = URL.canParse(name) ? new URL(name) : undefined
    const origin = /^https?:$/.test(url?.protocol ?? '') ? url?.origin : undefined
    const isPattern = name.includes('*')
    if (origin === name && !isPattern) return name
    const hint = isPattern ? EXAMPLE_ORIGIN : (origin ?? EXAMPLE_ORIGIN)
    throw new InvalidArgumentError(
      `Give each origin as browsers send it, without a path and without "*", like ${hint}.`,
    )
  })
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
        `Give addresses or networks of ${whose}, like 192.0.2.7,10.0.0.0/8, or "loopback".`,
      )
    const family = version === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(address, Number(prefix ?? (version === 4 ? 32 : 128)), family)
  }
  return list
}

/** For a variable: whoever sets it to 0 wants what it names no more than whoever leaves it out. */
export function yesOrNo(text: string): boolean {
  const value = text.trim().toLowerCase()
  if (['yes', 'true', '1', 'on'].includes(value)) return true
  if (['no', 'false', '0', 'off'].includes(value)) return false
  throw new InvalidArgumentError('Give yes or no.')
}
