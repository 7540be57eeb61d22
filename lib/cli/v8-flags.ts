// What V8 is told as soon as a process of the server listens. Not before: while any flag differs from its default, V8 refuses
// the compiled code of Node's own modules, and a start takes a tenth longer (bin/cms-server).

import { setFlagsFromString } from 'node:v8'

/**
 * Objects that live shortly are collected by the thread that made them: with 4 MiB of them to wake others takes as long as
 * the work, and costs them their processor.
 */
const ONE_COLLECTS = '--no-parallel-scavenge'

/**
 * V8 lets a small heap grow to four times of what lives in it before it collects all, and the bytes of uploads with it.
 * Twice costs no processor time that could be measured, and after an import of 28,000 files saves 30 MiB.
 */
const AT_TWICE = '--heap-growing-percent=100'
/** There may be many that read: 60 MiB of garbage in each, for hardly less processor time. */
const AT_A_FIFTH_MORE = '--heap-growing-percent=20'

/**
 * V8 compiles what runs often a second time, for speed, on other threads: by default so early that the first seconds of
 * a server take as much of the processor for that as for what it serves. At a third of that pace all that matters is
 * compiled as well, some thousand requests later. A later V8 does not know it.
 */
const COMPILE_LATER = '--interrupt-budget=200000'

/** `role`: of the process. */
export function tuneV8(role: 'writes' | 'reads'): void {
  setFlagsFromString(ONE_COLLECTS)
  setFlagsFromString(role === 'writes' ? AT_TWICE : AT_A_FIFTH_MORE)
  if (process.versions.v8.startsWith('11.')) setFlagsFromString(COMPILE_LATER)
}
