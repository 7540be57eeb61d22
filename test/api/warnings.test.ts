// The warnings that /ready reports while the server accepts all requests.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Config } from '../../lib/config/config.ts'
import { startChild } from '../helpers/child-server.ts'
import { makeFolder } from '../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { oneServer } from '../helpers/engine.ts'
import { NO_OUTER_ADDRESS } from '../helpers/outer-address.ts'
import { type Answer, send, startTestServer } from '../helpers/server.ts'
import { trustLoopback } from '../helpers/trust-loopback.ts'

after(removeDataDirectories)

async function readyOf(config: Partial<Config>): Promise<Answer> {
  const server = await startTestServer({ config })
  try {
    return await server.call('GET', '/ready', { key: null })
  } finally {
    await server.close()
  }
}

const codesOf = ({ body }: Answer): readonly string[] =>
  (body.warnings ?? []).map(({ code }: any) => code)

describe('the warning that the document of the modules is public', () => {
  const unreached: readonly Partial<Config>[] = [
    {},
    { host: '127.0.0.2' },
    { host: '::1' },
    { host: 'localhost' },
    { baseUrl: 'http://localhost:8080/cms' },
    { baseUrl: 'http://[::1]' },
    { docs: 'keyed', host: '0.0.0.0' },
    { docs: 'keyed', baseUrl: 'https://cms.example.org' },
  ]
  for (const config of unreached)
    test(`does not exist with ${JSON.stringify(config)}`, async (t) => {
      const answer = await readyOf(config).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRNOTAVAIL') throw error
      })
      if (answer === undefined) return t.skip('the machine has no such address')
      const { status, body } = answer
      assert.deepEqual([status, body.status, codesOf(answer)], [200, 'ready', []])
    })

  const reached: readonly (readonly [string, Partial<Config>])[] = [
    ['all addresses', { host: '0.0.0.0' }],
    ['all addresses of both kinds', { host: '::' }],
    ['loopback, for a proxy', { proxies: trustLoopback() }],
    ['loopback, under another address', { baseUrl: 'https://cms.example.org/site' }],
    ['loopback, under a name like one', { baseUrl: 'https://127.example.org' }],
  ]
  for (const [where, config] of reached)
    test(`is reported by a server that listens on ${where} and is ready`, async () => {
      const answer = await readyOf(config)
      assert.equal(answer.status, 200)
      assert.equal(answer.body.status, 'ready')
      assert.deepEqual(codesOf(answer), ['documents-public'])
      const [{ detail }] = answer.body.warnings
      assert.match(detail, /--docs keyed/)
    })

  test('is logged at the start', {
    skip: NO_OUTER_ADDRESS || oneServer('child').skip,
  }, async () => {
    const child = await startChild(newDataDirectory(), ['--host', '0.0.0.0'])
    const { stderr } = await child.kill('SIGTERM')
    const lines = stderr.split('\n').filter((line) => line.includes('"documents-public"'))
    assert.equal(lines.length, 1)
    const [{ level, code }] = lines.map((line) => JSON.parse(line)) as [any]
    assert.deepEqual([level, code], ['warn', 'documents-public'])

    const keyed = await startChild(newDataDirectory(), ['--host', '0.0.0.0', '--docs', 'keyed'])
    assert.doesNotMatch((await keyed.kill('SIGTERM')).stderr, /documents-public/)
  })
})

describe('the warning that few files can be open', oneServer('child'), () => {
  const limited = (files: number) => ['prlimit', `--nofile=${files}:${files}`]

  test('is reported by /ready and logged at the start, with advice', async (t) => {
    const child = await startChild(newDataDirectory(), [], { through: limited(4_096) })
    t.after(() => child.kill('SIGKILL'))
    const answer = await send(child.url, 'GET', '/ready', {})
    assert.deepEqual([answer.status, codesOf(answer)], [200, ['few-files']])
    assert.match(answer.body.warnings[0].detail, /open 4096 files.*need 8960.*LimitNOFILE/)
    const { stderr } = await child.kill('SIGTERM')
    assert.match(stderr, /"level":"warn",.*"few-files".*--max-connections/)
  })

  test('does not exist if as few connections are allowed', async () => {
    const args = ['--max-connections', '500']
    const child = await startChild(newDataDirectory(), args, { through: limited(2_048) })
    const answer = await send(child.url, 'GET', '/ready', {})
    await child.kill('SIGTERM')
    assert.deepEqual(answer.body, { status: 'ready', version: answer.body.version })
  })
})

describe('the warning that a site shows nothing', () => {
  const sites = ['a', 'b'].map((name) => ({
    origin: `http://${name}.localhost`,
    folder: `/Main/${name}`,
  }))

  test('ends when the folder of each site exists and is public', async (t) => {
    const server = await startTestServer({ config: { sites } })
    t.after(() => server.close())
    const hidden = async () => {
      const { status, body } = await server.call('GET', '/ready', { key: null })
      assert.equal(status, 200)
      return (body.warnings ?? []).map(({ code, detail }: any) => [
        code,
        /: (\d)\./.exec(detail)?.[1],
      ])
    }
    assert.deepEqual(await hidden(), [['site-hidden', '2']])
    await makeFolder(server, { name: 'a', public: true })
    const { asset_category_id: id } = await makeFolder(server, { name: 'b' })
    assert.deepEqual(await hidden(), [['site-hidden', '1']])
    const change = (json: object) => server.call('POST', `/api/v2/asset_category/${id}`, { json })
    await change({ public: true })
    assert.deepEqual(await hidden(), [])
    await change({ name: 'c' })
    assert.deepEqual(await hidden(), [['site-hidden', '1']])
  })

  test('is logged at the start', oneServer('child'), async () => {
    const child = await startChild(newDataDirectory(), [
      '--site-origin',
      'http://a.localhost=/Main/a',
    ])
    const { stderr } = await child.kill('SIGTERM')
    assert.match(stderr, /"level":"warn",.*"site-hidden".*does not exist or is not public/)
  })
})
