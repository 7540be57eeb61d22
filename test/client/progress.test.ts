import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { it } from 'node:test'
import { openProgress } from '../../lib/client/progress.ts'

function openStream({ isTTY }: { readonly isTTY: boolean }): {
  stream: NodeJS.WriteStream
  written: () => string
} {
  const stream = new PassThrough()
  const terminal = Object.assign(stream, {
    isTTY,
    columns: 80,
    cursorTo() {},
    clearLine() {},
    moveCursor() {},
  })
  return {
    stream: terminal as unknown as NodeJS.WriteStream,
    // One read returns everything written up to Node 24, but only one write from Node 26 on.
    written() {
      let all = ''
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) all += String(chunk)
      return all
    },
  }
}

it('progress is a line every five seconds without a terminal', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { stream, written } = openStream({ isTTY: false })
  const progress = openProgress({ label: 'import', stream })

  progress.update(3, 10, 2048)
  assert.equal(written(), '')
  t.mock.timers.tick(5_000)
  assert.equal(written(), 'import: 3 of 10 files, 2.0 KiB\n')
  t.mock.timers.tick(10_000)
  assert.match(written(), /2\.0 KiB, waiting for 5 s\nimport: .*, waiting for 10 s\n$/)
  progress.update(4, 10, 2048)
  t.mock.timers.tick(5_000)
  assert.equal(written(), 'import: 4 of 10 files, 2.0 KiB\n')
  progress.close()
  t.mock.timers.tick(10_000)
  assert.equal(written(), '')
})

it('progress is a bar on a terminal', () => {
  const { stream, written } = openStream({ isTTY: true })
  const progress = openProgress({ label: 'export', stream })

  progress.update(3, 10, 2048)
  progress.close()
  assert.match(written(), /export .*3 of 10 files, 2\.0 KiB/)
})
