// What kinds of work there are, and how many threads each may hold: none can take all of them from the
// others. Calendars, diffs and patterns are for one reader each and may take seconds, so they hold half of
// the threads together. With the sealing of large uploads they leave one for work that others wait for. A pool of
// one thread can keep none free, and one of two only one of both.

import type { Tasks } from './tasks.ts'

export type Kind =
  | 'calendar'
  | 'diff'
  | 'upload'
  | 'save'
  | 'page'
  | 'body'
  | 'password'
  | 'pattern'
  | 'copy'

export const KIND_OF: { readonly [Name in keyof Tasks]: Kind } = {
  expandEntries: 'calendar',
  buildFeed: 'calendar',
  diffTexts: 'diff',
  sealUpload: 'upload',
  writeContent: 'save',
  writeOut: 'save',
  removeFiles: 'save',
  verifyContent: 'save',
  sumParts: 'save',
  encodePage: 'page',
  checkStml: 'page',
  compress: 'page',
  parseBody: 'body',
  hashPassword: 'password',
  verifyPassword: 'password',
  matchPattern: 'pattern',
  // These have pools of their own, all of whose threads are theirs.
  scrubFiles: 'copy',
  hashFiles: 'copy',
  copyContent: 'copy',
}

export const KINDS: readonly Kind[] = [...new Set(Object.values(KIND_OF))]

/** Kinds that together hold no more than a part of the threads. */
export interface Share {
  readonly kinds: readonly Kind[]
  readonly threadsOf: (threads: number) => number
}

const one = (): number => 1
const half = (threads: number): number => Math.max(1, Math.floor(threads / 2))
const allButOne = (threads: number): number => Math.max(1, threads - 1)

export const SHARES: readonly Share[] = [
  { kinds: ['calendar', 'diff', 'pattern'], threadsOf: half },
  { kinds: ['calendar', 'diff', 'pattern', 'upload'], threadsOf: allButOne },
  { kinds: ['save'], threadsOf: allButOne },
  { kinds: ['page'], threadsOf: allButOne },
  { kinds: ['body'], threadsOf: allButOne },
  // Each takes some 20 ms of a processor and 19 MiB, and anybody may ask for them.
  { kinds: ['password'], threadsOf: one },
]

/** So many of a kind may wait, where all kinds may not have as many: each of them may take a second. */
export const MAX_WAITING: Partial<Record<Kind, number>> = {
  calendar: 64,
  diff: 64,
  pattern: 64,
  password: 64,
}
