// The limit of a save: the file system alone, with the same durability. Files of 10 KB are written, synced
// and renamed into one of 256 directories, and the directory is synced, with IN_FLIGHT saves at a time.
//   node raw-files.js DIRECTORY IN_FLIGHT SECONDS      prints {"perSecond":…,"cpuUs":…}

import { mkdirSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { runRaw } from './raw.ts'

const [dir = '', inFlight = '16', seconds = '4'] = process.argv.slice(2)
const bytes = Buffer.alloc(10 * 1024, 'x')
const DIRECTORIES = 256
for (let at = 0; at < DIRECTORIES; at += 1) mkdirSync(join(dir, String(at)), { recursive: true })

const run = `${process.pid}`
let count = 0

async function save(): Promise<void> {
  count += 1
  const tmpPath = join(dir, `tmp-${run}-${count}`)
  const directory = join(dir, String(count % DIRECTORIES))
  const file = await open(tmpPath, 'wx')
  await file.write(bytes)
  await file.sync()
  await file.close()
  await rename(tmpPath, join(directory, `${run}-${count}`))
  const handle = await open(directory)
  await handle.sync()
  await handle.close()
}

await runRaw(save, { inFlight: Number(inFlight), seconds: Number(seconds) })
