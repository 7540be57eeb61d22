// The command that the first start prints works as printed, however the server was started and whatever the
// reader's working directory.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { BIN, runCli, startChild } from '../helpers/child-server.ts'
import { eventually } from '../helpers/raw.ts'
import { send } from '../helpers/server.ts'

const ROOT = dirname(dirname(BIN))
const scratch = mkdtempSync(join(tmpdir(), 'cms-first-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const NODE_DIRECTORY = join(scratch, 'node')
mkdirSync(NODE_DIRECTORY)
symlinkSync(process.execPath, join(NODE_DIRECTORY, 'node'))
const PATH = [NODE_DIRECTORY, process.env['PATH'] ?? ''].join(delimiter)

/** Creates a directory with symbolic links, as people or npm create them. */
function linked(name: string, links: Readonly<Record<string, string>>): string {
  const top = join(scratch, name)
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    symlinkSync(target, join(top, path))
  }
  return top
}

const onPath = linked('on path', { 'cms-server': BIN })
const global = linked('global', {
  'lib/node_modules/cms-server': ROOT,
  'bin/cms-server': '../lib/node_modules/cms-server/bin/cms-server',
})
const project = linked('project', {
  'node_modules/cms-server': ROOT,
  'node_modules/.bin/cms-server': '../cms-server/bin/cms-server',
})
const byOtherName = linked('other', { cms: BIN })

interface Way {
  readonly command: readonly string[]
  readonly cwd: string
  readonly path: string
  /** Beginning of the printed command. */
  readonly says: string
}

const WAYS: Readonly<Record<string, Way>> = {
  'by its path': { command: [BIN], cwd: scratch, path: PATH, says: `${BIN} key` },
  'by a relative path': { command: ['bin/cms-server'], cwd: ROOT, path: PATH, says: `${BIN} key` },
  'by npm start': {
    command: ['npm', 'start', '--silent', '--'],
    cwd: join(ROOT, 'lib'),
    path: PATH,
    says: `${BIN} key`,
  },
  'by npx': {
    command: ['npx', '--offline', 'cms-server'],
    cwd: project,
    path: PATH,
    says: `${project}/node_modules/.bin/cms-server key`,
  },
  'by a link in the PATH': {
    command: ['cms-server'],
    cwd: scratch,
    path: [onPath, PATH].join(delimiter),
    says: 'cms-server key',
  },
  'by a link of another name': {
    command: ['cms'],
    cwd: scratch,
    path: [byOtherName, PATH].join(delimiter),
    says: 'cms key',
  },
  'as a global package, by its path': {
    command: [BIN],
    cwd: scratch,
    path: [join(global, 'bin'), PATH].join(delimiter),
    says: 'cms-server key',
  },
  'by a node that is not in the PATH': {
    command: [process.execPath, BIN],
    cwd: scratch,
    path: '/nonexistent',
    says: `${process.execPath} ${BIN} key`,
  },
}

async function firstStart({ command, cwd, path }: Way, dataDir: string): Promise<string> {
  const [file = '', ...args] = command
  const start = file === 'npm' ? [] : ['start']
  const child = spawn(file, [...args, ...start, '--data', dataDir, '--port', '0'], {
    cwd,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'inherit'],
    // npm and npx run between the test and the server; the signal goes to the whole process group.
    detached: true,
  })
  const ended = once(child, 'close')
  let said = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += text
    if (said.includes('--name first\n')) process.kill(-(child.pid ?? 0), 'SIGTERM')
  }
  await ended
  return said
}

function printedCommand(said: string): string {
  return /^ {2}(\S.* key create .*)$/m.exec(said)?.[1] ?? ''
}

describe('the first start prints a command that creates a key when it is pasted', () => {
  for (const [what, way] of Object.entries(WAYS)) {
    test(what, async () => {
      const dataDir = join(scratch, what, `it's "data" & more`)
      const printed = printedCommand(await firstStart(way, dataDir))
      assert.ok(printed.startsWith(way.says), printed)
      // Runs in another working directory, like another terminal.
      const env = { ...process.env, PATH: way.path }
      const secret = execFileSync('/bin/sh', ['-c', printed], { cwd: '/', env, encoding: 'utf8' })
      assert.match(secret, /^cms_\w+\n$/)
      const { stdout } = await runCli(['key', 'list', '--data', dataDir])
      assert.match(stdout, /\bfirst\b/)
    })
  }

  test('with another program of the same name first in the PATH', async () => {
    const stranger = linked('stranger', { 'cms-server': '/bin/true' })
    const path = [stranger, onPath, PATH].join(delimiter)
    const way = { command: [BIN], cwd: scratch, path, says: '' }
    const printed = printedCommand(await firstStart(way, join(scratch, 'stranger-data')))
    assert.ok(printed.startsWith(`${BIN} key`), printed)
  })

  test('with control and invisible characters escaped', async () => {
    const dataDir = join(scratch, 'two\nlines\u001b[31m\u202e')
    const way = { command: [BIN], cwd: scratch, path: PATH, says: '' }
    const printed = printedCommand(await firstStart(way, dataDir))
    assert.match(printed, /^[ -~]+$/)
    const env = { ...process.env, PATH }
    const secret = execFileSync('bash', ['-c', printed], { cwd: '/', env, encoding: 'utf8' })
    assert.match(secret, /^cms_\w+\n$/)
    assert.match((await runCli(['key', 'list', '--data', dataDir])).stdout, /\bfirst\b/)
  })
})

test('the first start prints the configured address of the pages', async () => {
  const args = ['--base-url', 'https://cms.example.org/site']
  const child = await startChild(join(scratch, 'based'), args)
  await child.kill('SIGTERM')
  assert.ok(
    child.stdout().includes('with this key to https://cms.example.org/site/\n'),
    child.stdout(),
  )
})

test('the first start prints an address that leads a browser to the pages', async () => {
  const child = await startChild(join(scratch, 'address'))
  try {
    const headers = { accept: 'text/html' }
    const { status } = await send(child.url, 'GET', '/', { headers })
    assert.equal(status, 303)
    assert.ok(child.stdout().includes(`with this key to ${child.url}/\n`), child.stdout())
  } finally {
    await child.kill('SIGTERM')
  }
})

/** Starts a service as systemd does, with its output connected to the journal. */
const THROUGH_JOURNAL = [
  'sh',
  '-c',
  'exec 3>&1; stream=$(stat -Lc %d:%i /dev/fd/3); exec 3>&-; JOURNAL_STREAM=$stream exec "$@"',
  'sh',
]

test('the first start prints no sign-in link into the journal', async (t) => {
  const dataDir = join(scratch, 'journal')
  const child = await startChild(dataDir, [], { through: THROUGH_JOURNAL })
  t.after(() => child.kill('SIGKILL'))
  await eventually(() => child.stdout().includes('user password admin'))
  assert.ok(!child.stdout().includes('#'), child.stdout())
  assert.match(child.stdout(), /user password admin --data \S+journal/)
})

for (const [host, shown] of [
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
] as const)
  test(`the first start prints a loopback address if the server listens on ${host}`, async () => {
    const child = await startChild(join(scratch, `all ${shown}`), ['--host', host])
    await child.kill('SIGTERM')
    const address = `http://${shown}:${new URL(child.url).port}/`
    assert.ok(child.stdout().includes(`  ${address}admin/welcome#`), child.stdout())
    assert.ok(child.stdout().includes(`with this key to ${address}\n`), child.stdout())
  })
