// The errors that the splitter reports for a form that ends too early. All other behavior of the splitter:
// form-parser.test.ts and multipart.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSplitter } from '../../lib/http/form-splitter.ts'

const ENDS: readonly (readonly [what: string, body: string, fault: RegExp])[] = [
  ['a boundary in the last line of the preamble', 'x--b', /^Before its first part/],
  ['a boundary after a lone LF', 'x\n--b', /^Before its first part/],
  ['only a preamble', 'x', /cut or malformed/],
  ['a boundary that continues', '--bx', /^Before its first part/],
  ['no closing boundary', '--b\r\nA: b\r\n\r\nx\r\n--b\r\n', /cut or malformed/],
]

for (const [what, body, fault] of ENDS)
  test(`a form that ends with ${what} is refused with the reason`, () => {
    const splitter = openSplitter('b', { startPart: () => undefined, takeBytes: () => undefined })
    const read = (): void => {
      for (const byte of Buffer.from(body)) splitter.push(Buffer.of(byte))
      splitter.end()
    }
    assert.throws(read, (error: Error) => fault.test(error.message))
  })
