// The figures of README.md: beside PocketBase, warm and beside writes; a few shares of the limit; and last those of one
// address over and over, which no site is read like.

import {
  isEmpty,
  NOT_MEASURED,
  number,
  ofWarm,
  ratioOf,
  type Report,
  type Result,
  table,
} from './report.ts'
import { TABLE_SIZE } from './settings.ts'

const SHOWN = [
  'read-record',
  'search-name',
  'download-10k',
  'save-page',
  'upload-100k',
  `entries/${TABLE_SIZE}/read`,
  `entries/${TABLE_SIZE}/title`,
  `entries/${TABLE_SIZE}/list`,
  `entries/${TABLE_SIZE}/update`,
  `entries/${TABLE_SIZE}/create`,
]

export function summarize(report: Report): string {
  const { commit, machine, results, peers, pairs } = report
  if (isEmpty(report)) return NOT_MEASURED
  const warm = results.filter(({ name, form }) => form === 'warm' && SHOWN.includes(name))
  const sentences = [
    sentence(
      'Each request another one',
      warm.filter(({ addresses }) => addresses > 1),
    ),
    sentence(
      'One address over and over',
      warm.filter(({ addresses }) => addresses === 1),
    ),
  ]
  const shown = peers.length + pairs.length === 0 ? [] : [besidePeer(peers, pairs)]
  const told = sentences.filter((text) => text !== '')
  return [`Commit ${commit}, ${machine}.`, ...shown, ...told].join('\n\n')
}

function sentence(what: string, results: readonly Result[]): string {
  const told = results.map((result) => {
    const ratio = ratioOf(result)
    const share = ratio === undefined ? '' : ` (${ratio.toFixed(2)})`
    return `${result.title} ${number(result.own.perSecond)}${share}`
  })
  return told.length === 0 ? '' : `${what}, a second (share of the limit): ${told.join('; ')}.`
}

function besidePeer(peers: readonly Result[], pairs: Report['pairs']): string {
  const rows = peers
    .filter(({ form }) => form === 'warm')
    .map((result) => {
      const mixed = peers.find(({ form, name }) => form === 'mixed' && name === result.name)
      return [
        result.title,
        `${number(result.own.perSecond)}, ${number(result.own.p99)}`,
        mixed === undefined ? '' : mixedText(mixed, peers),
        number(result.other?.perSecond ?? 0),
        number(mixed?.other?.perSecond ?? 0),
        ratioOf(result)?.toFixed(2) ?? '',
      ]
    })
  const others = pairs
    .filter(({ most }) => most !== undefined)
    .map(({ name, own, other, unit }) => [
      `${name}, ${unit}`,
      number(own),
      '',
      number(other),
      '',
      (own / other).toFixed(2),
    ])
  const head = ['', 'a second, p99 ms', 'beside writes', 'PocketBase', 'beside writes', 'ratio']
  return table(head, [...rows, ...others])
}

function mixedText(mixed: Result, peers: readonly Result[]): string {
  const share = ofWarm(mixed, peers)?.rate.toFixed(2) ?? ''
  return `${number(mixed.own.perSecond)} (${share}), ${number(mixed.own.p99)}`
}
