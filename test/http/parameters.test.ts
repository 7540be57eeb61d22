// The parser of header parameters accepts all parameters of a header or none. In forms: form-parser.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMediaType } from '../../lib/http/header-values.ts'

test('spaces at the end are ignored, and anything else makes the list invalid', () => {
  for (const text of [
    'text/plain;a=b',
    'Text/Plain; a=b \t',
    'text/plain;a=b;',
    'text/plain ;a="b" ',
  ])
    assert.deepEqual(parseMediaType(text), {
      type: 'text/plain',
      parameters: new Map([['a', 'b']]),
    })
  for (const text of ['text/plain;a=b c', 'text/plain;a=b,', 'text/plain x', 'text/plain;a=b;A=c'])
    assert.equal(parseMediaType(text), undefined, text)
})
