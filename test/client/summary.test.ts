import assert from 'node:assert/strict'
import { it } from 'node:test'
import { formatExport, formatImport } from '../../lib/client/summary.ts'

it('the summary of an import has all counts and the failures', () => {
  const text = formatImport({
    uploaded: 12,
    replaced: 3,
    unchanged: 4_000,
    published: 15,
    skipped: 1,
    folders: 2,
    hasRecords: false,
    failed: 25,
    failures: [{ path: 'a/b.stml', detail: 'line 1, column 2' }],
    moreFailures: 24,
    bytes: 3_500_000,
    seconds: 1.25,
  })
  assert.equal(
    text,
    [
      'new                    12',
      'replaced                3',
      'unchanged            4000',
      'published              15',
      'skipped                 1  (links and special files)',
      'folders created         2',
      'failed                 25',
      '3.3 MiB in 1.3 seconds',
      'failed: a/b.stml: line 1, column 2',
      'failed: 24 more',
      '',
    ].join('\n'),
  )
})

it('the summary of an export without failures ends with bytes and time', () => {
  const text = formatExport({
    written: 1,
    unchanged: 0,
    skipped: 0,
    folders: 0,
    others: 0,
    failed: 0,
    failures: [],
    moreFailures: 0,
    bytes: 1023,
    seconds: 0.04,
  })
  assert.match(text, /^written {17}1\n/)
  assert.match(
    text,
    /failed {18}0\n1023 bytes in 0\.0 seconds\n.*\nnot exported: older versions, datatables.*\n$/,
  )
})
