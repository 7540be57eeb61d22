// A follower that is too late, or follows another log, gets an error. It never gets a log with a gap.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runCli } from '../../helpers/child-server.ts'
import { assertProblem, make } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { oneServer } from '../../helpers/engine.ts'
import { ask, CHANGES, inShort, openStream } from '../../helpers/follow.ts'
import { eventually } from '../../helpers/raw.ts'
import { startTestServer } from '../../helpers/server.ts'

const BACKUP = oneServer('backup')
const DAY_MS = 86_400_000

after(removeDataDirectories)

test('positions stay valid across a restart until their rows are removed', async () => {
  const dataDir = newDataDirectory()
  let offsetMs = -40 * DAY_MS
  const now = (): Date => new Date(Date.now() + offsetMs)
  const first = await startTestServer({ dataDir, now, config: { auditDays: 0 } })
  const { page } = await ask(first)
  const made = await make(first, 'file_group', { name: 'old' })
  await first.stop()

  const second = await startTestServer({ dataDir, now, config: { auditDays: 0 } })
  const { change, page: kept } = await ask(second, `since=${page.next}&object=file_group`)
  assert.deepEqual(inShort(change), [`create file_group ${made.file_group_id}`])
  offsetMs = 0
  const newest = await make(second, 'file_group', { name: 'new' })
  await second.stop()

  const third = await startTestServer({ dataDir, now, config: { auditDays: 30 } })
  const askLate = () => third.call('GET', `${CHANGES}?since=${page.next}`)
  await eventually(async () => (await askLate()).status === 410)
  const gone = await askLate()
  const { next, oldest, newest: last } = assertProblem(gone, 'change-log-gone')
  assert.ok(oldest > 1 && oldest <= last)
  assertProblem(await third.call('GET', `${CHANGES}?since=0`), 'change-log-gone')
  assertProblem(await third.call('GET', `${CHANGES}?since=${last + 1}`), 'change-log-gone')
  // Nothing is missing after the removed changes.
  const rest = await ask(third, `since=${kept.next}&object=file_group`)
  assert.deepEqual(inShort(rest.change), [`create file_group ${newest.file_group_id}`])
  assert.deepEqual((await ask(third, `since=${next}`)).change, [])

  // A time is refused only if removed rows may be younger.
  const day = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString()
  assertProblem(await third.call('GET', `${CHANGES}?since=${day(50)}`), 'change-log-gone')
  const { change: late } = await ask(third, `since=${day(0.5)}&object=file_group`)
  assert.deepEqual(inShort(late), [`create file_group ${newest.file_group_id}`])

  const stream = await openStream(third, { last: page.next })
  await stream.ended()
  assert.deepEqual(
    stream.events.map(({ event, data }) => [event, data.code, data.newest]),
    [['gone', 'change-log-gone', last]],
  )
  assert.deepEqual((await ask(third, `since=${stream.events[0]?.id}`)).change, [])
  await third.close()
})

test('a restored backup has a new log, although its numbers are used again', BACKUP, async () => {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  await make(server, 'file_group', { name: 'one' })
  const backup = newDataDirectory()
  const { code, stderr } = await runCli(['backup', backup, '--data', server.dataDir])
  assert.equal(code, 0, stderr)
  await make(server, 'file_group', { name: 'lost' })
  const { page } = await ask(server)
  await server.stop()

  const dataDir = newDataDirectory()
  assert.equal((await runCli(['restore', backup, '--data', dataDir])).code, 0)
  // The test also starts a server directly on the backup.
  for (const restoredDir of [dataDir, backup]) {
    const restored = await startTestServer({ dataDir: restoredDir })
    for (const name of ['another', 'and another']) await make(restored, 'file_group', { name })
    const answer = await restored.call('GET', `${CHANGES}?since=${page.next}`)
    assertProblem(answer, 'change-log-gone')
    await restored.close()
  }
})
