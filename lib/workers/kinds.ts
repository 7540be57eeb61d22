// Kinds of work and the number of threads that each may hold, so that no kind can take all threads. Calendars, diffs and
// patterns serve one reader each and may take seconds, so together they hold half of the threads. Together with sealing
// large uploads they leave one thread for work that many requests wait for. A pool of one thread can keep none free, and
// a pool of two can keep one free of only one of these groups.

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
  // These run in pools of their own and may use all threads there.
  scrubFiles: 'copy',
  hashFiles: 'copy',
  copyContent: 'copy',
}

export const KINDS: readonly Kind[] = [...new Set(Object.values(KIND_OF))]

/** Kinds that together hold at most a part of the threads. */
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
  // Each takes about 20 ms of a processor and 19 MiB, and anybody may send a password.
  { kinds: ['password'], threadsOf: one },
]

/** Stricter limits for waiting tasks of kinds whose tasks may take a second each. */
export const MAX_WAITING: Partial<Record<Kind, number>> = {
  calendar: 64,
  diff: 64,
  pattern: 64,
  password: 64,
}
