// The short form of the upgrade without downtime (test/rigs/README.md): a version replaces itself,
// because a clone may have no history; and tests of the rig's own checks.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { killChildren } from '../helpers/child-server.ts'
import { SEED } from '../helpers/seed.ts'
import { watchAnswers } from './upgrade/answers.ts'
import { faultsInLog } from './upgrade/log-faults.ts'
import { runUpgrade } from './upgrade/rig.ts'
import { THIS_VERSION } from './upgrade/versions.ts'

after(killChildren)

test(`nodes are replaced one by one without a lost read or write (seed ${SEED})`, async (t) => {
  const { faults, ...counts } = await runUpgrade({
    from: THIS_VERSION,
    to: THIS_VERSION,
    seed: SEED,
    nodes: 2,
    writers: 2,
    rounds: 0,
    pauseMs: 500,
    onProgress: (line) => t.diagnostic(line),
  })
  t.diagnostic(JSON.stringify(counts))
  assert.deepEqual(faults, [])
  assert.equal(counts.replaced, 2)
  assert.ok(counts.settled > 0 && counts.reads > 0 && counts.delivered > 0)
})

test('an unexpected response is a fault, and a refusal by a stopping node is not', async (t) => {
  const answer = { status: 200, headers: {} }
  const server = createServer((_, response) =>
    response.writeHead(answer.status, answer.headers).end(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let isLeaving = false
  const answers = watchAnswers(() => isLeaving)
  t.after(() => answers.close())
  const ask = async (status: number, headers: object): Promise<number> => {
    Object.assign(answer, { status, headers })
    await (await fetch(url)).arrayBuffer()
    return answers.faults.length
  }

  assert.equal(await ask(200, {}), 0)
  assert.equal(await ask(404, {}), 0)
  assert.equal(await ask(503, { 'retry-after': '1' }), 1)
  isLeaving = true
  assert.equal(await ask(503, { 'retry-after': '1' }), 1)
  assert.deepEqual(answers.refusals, { 503: 1 })
  assert.equal(await ask(503, {}), 2)
  assert.equal(await ask(500, { 'retry-after': '1' }), 3)
})

test('an error in the log and output outside the log are faults', () => {
  // Earlier versions wrote the numeric levels of pino.
  for (const [warn, error] of [
    ['"warn"', '"error"'],
    ['40', '50'],
  ]) {
    const fine = `{"level":${warn},"msg":"the log of changes was trimmed"}\n`
    assert.deepEqual(faultsInLog(fine), [])
    const wrong = [`{"level":${error},"msg":"wrong"}`, 'Error: wrong']
    assert.deepEqual(faultsInLog(`${fine}${wrong.join('\n')}\n`), wrong)
  }
})
