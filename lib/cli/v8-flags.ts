// V8 flags that are set once a process of the server listens. While any flag differs from its default, V8
// rejects the compiled code of Node's own modules, and a start takes a tenth longer (bin/cms-server).

import { setFlagsFromString } from 'node:v8'

/**
 * Short-lived objects are collected by the thread that allocated them. Few of them survive, so waking other
 * threads takes as long as the work and uses their processors.
 */
const ONE_COLLECTS = '--no-parallel-scavenge'

/**
 * By default V8 lets a small heap, including the bytes of uploads, grow to four times its live size before a
 * full collection. Less growth saves as much memory as the young generation of 8 MiB takes (bin/cms-server), and
 * costs no measurable processor time.
 */
const AT_70_PERCENT_MORE = '--heap-growing-percent=70'
/**
 * There may be many readers, each with 60 MiB of garbage; collecting it earlier costs hardly any processor
 * time.
 */
const AT_A_FIFTH_MORE = '--heap-growing-percent=20'

/**
 * V8 compiles hot code a second time on other threads. By default this starts so early that it uses as much
 * processor time as the requests in the first seconds of a server. At a third of that pace, all important code
 * is still compiled, some thousand requests later. Later V8 versions do not know the flag.
 */
const COMPILE_LATER = '--interrupt-budget=200000'

export function tuneV8(role: 'writes' | 'reads'): void {
  setFlagsFromString(ONE_COLLECTS)
  setFlagsFromString(role === 'writes' ? AT_70_PERCENT_MORE : AT_A_FIFTH_MORE)
  if (process.versions.v8.startsWith('11.')) setFlagsFromString(COMPILE_LATER)
}
