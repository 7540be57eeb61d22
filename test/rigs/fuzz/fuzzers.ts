// All fuzzers and their corpus: files in test/rigs/corpus whose samples are separated by lines of
// %%. An input that failed once is added to the corpus and never removed.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fuzzer } from './engine.ts'
import { builtForm, form } from './form.ts'
import { httpFuzzers } from './http.ts'
import { qry } from './qry.ts'
import { textFuzzers } from './texts.ts'
import { valueFuzzers } from './values.ts'

export const FUZZERS: readonly Fuzzer[] = [
  ...httpFuzzers,
  ...valueFuzzers,
  ...textFuzzers,
  qry,
  form,
  builtForm,
]

const CORPUS = join(import.meta.dirname, '../../../../test/rigs/corpus')

/**
 * Reads the samples of a fuzzer. Escapes like \r\n and \x00 are decoded, so that the files stay
 * text.
 */
export function samplesOf({ name, isBinary = false }: Fuzzer): readonly string[] {
  const text = readFileSync(join(CORPUS, name), 'utf8').replace(/\n$/, '')
  const read = isBinary ? Buffer.from(text).toString('latin1') : text
  return read
    .split('\n%%\n')
    .map((sample) => sample.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) => fromHex(hex)))
}

function fromHex(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}
