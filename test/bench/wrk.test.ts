// Parses the reports of wrk.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReport } from '../../bench/wrk.ts'

const REPORT = `Running 2s test @ http://127.0.0.1:1/
  Latency Distribution
     50%  250.00us
     75%    2.00ms
     99%    1.50s
  4000 requests in 2.00s, 1.00MB read
Requests/sec:   2000.00
`

test('rates and latencies are read in any unit', () => {
  const { count, seconds, p50, p99, errors } = readReport(REPORT)
  assert.deepEqual(
    { count, seconds, p50, p99, errors },
    {
      count: 4_000,
      seconds: 2,
      p50: 0.25,
      p99: 1_500,
      errors: 0,
    },
  )
})

test('failed and lost responses are errors', () => {
  const faults = `  Socket errors: connect 1, read 2, write 3, timeout 4
  Non-2xx or 3xx responses: 30
`
  assert.equal(readReport(REPORT + faults).errors, 40)
})

test('text that is not a report is refused', () => {
  assert.throws(() => readReport('unable to connect to 127.0.0.1:1'), /unable to connect/)
})
