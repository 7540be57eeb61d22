// Signals: only a stop signal ends a server, and a stop lets requests finish.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, describe, test } from 'node:test'
import { BIN, type ChildServer, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { eventually } from '../helpers/raw.ts'
import { send } from '../helpers/server.ts'

after(removeDataDirectories)

/** The TCP addresses on which a process listens. */
function listeners({ pid }: ChildServer): readonly string[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)),
  )
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1)
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.has(`socket:[${inode}]`))
    .map(([, address = '']) => address)
}

function linkOf(path: string): string {
  return execFileSync('readlink', [path], { encoding: 'utf8' }).trim()
}

for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) {
  test(`${signal} does not stop the server, opens no port, and is logged`, async (t) => {
    const child = await startChild(newDataDirectory())
    t.after(() => child.kill('SIGKILL'))
    process.kill(child.pid, signal)
    assert.ok(
      await eventually(() =>
        child.stderr().includes(`"signal":"${signal}","msg":"signal ignored"`),
      ),
    )
    assert.equal((await send(child.url, 'GET', '/ready', {})).status, 200)
    assert.equal(listeners(child).length, 1)
    const { code, stderr } = await child.kill('SIGTERM')
    assert.deepEqual([code, stderr.includes('Debugger')], [0, false], stderr)
  })
}

test('a command also opens no inspector on SIGUSR1', async () => {
  const command = spawn(process.execPath, [BIN, 'user', 'password', 'admin'], {
    env: { ...process.env, CMS_DATA: newDataDirectory() },
  })
  let stderr = ''
  command.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  // The command waits for the password on stdin: its CPU time has not changed for a second.
  let ticks = ''
  let calm = 0
  await eventually(async () => {
    await sleep(50)
    const now = /\) \w (?:\S+ ){10}(\d+ \d+)/.exec(
      readFileSync(`/proc/${command.pid}/stat`, 'utf8'),
    )
    calm = now?.[1] === ticks ? calm + 1 : 0
    ticks = now?.[1] ?? ''
    return calm === 20
  })
  command.kill('SIGUSR1')
  command.stdin.end()
  await once(command, 'close')
  assert.doesNotMatch(stderr, /Debugger|inspector/)
})

test('a closed terminal stops the server, which closes its records', async () => {
  const dataDir = newDataDirectory()
  const start = `exec ${process.execPath} ${BIN} start --data ${dataDir} --port 0`
  const terminal = spawn('script', ['-qfec', start, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let shown = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  assert.ok(await eventually(() => shown.includes('listening on')), shown)
  terminal.kill('SIGKILL')
  assert.ok(await eventually(() => existsSync(join(dataDir, 'clean.json'))))
})

describe('at a stop', () => {
  /** Creates a directory for PATH whose sh records each call and its process ID. */
  function noting(): { readonly path: string; readonly notes: () => string } {
    const directory = newDataDirectory()
    mkdirSync(directory)
    const notes = join(directory, 'notes')
    writeFileSync(join(directory, 'sh'), `#!/bin/sh\necho "$$" >> ${notes}\nexec /bin/sh "$@"\n`)
    // A test that waited for the end of this sleep would time out.
    writeFileSync(join(directory, 'sleep'), '#!/bin/sh\nexec /bin/sleep 600\n')
    for (const name of ['sh', 'sleep']) chmodSync(join(directory, name), 0o755)
    return {
      path: `${directory}:${process.env['PATH']}`,
      notes: () => (existsSync(notes) ? readFileSync(notes, 'utf8') : ''),
    }
  }

  test('under systemd no other process supervises the exit', async () => {
    const { path, notes } = noting()
    // systemd sets the variable to the process ID of the service's main process.
    const through = ['/bin/sh', '-c', 'SYSTEMD_EXEC_PID=$$ exec "$@"', 'systemd']
    const child = await startChild(newDataDirectory(), [], { through, env: { PATH: path } })
    assert.equal((await child.kill('SIGTERM')).code, 0)
    assert.equal(notes(), '')
  })

  test('elsewhere a process supervises the exit and ends with the server', async () => {
    const { path, notes } = noting()
    // The variable is inherited from another service.
    const env = { PATH: path, SYSTEMD_EXEC_PID: '1' }
    const child = await startChild(newDataDirectory(), [], { env })
    assert.equal((await child.kill('SIGTERM')).code, 0)
    await eventually(() => notes() !== '')
    const pid = notes().trim()
    assert.match(pid, /^\d+$/)
    const isGone = () => !existsSync(`/proc/${pid}`)
    assert.ok(await eventually(isGone), 'the watch is left behind')
  })
})
