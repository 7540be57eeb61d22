// Moves the whole site by backup and restore, and by migrate to a cluster and back. Every entry of
// every table that the rig has filled must be the same at each place.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { runCli } from '../../helpers/child-server.ts'
import { openCluster, variablesOf } from '../../helpers/cluster.ts'
import { startTestServer, type TestOptions } from '../../helpers/server.ts'
import { type Filled, readAll, type Rig } from './rows.ts'

export async function throughPlaces(rig: Rig, tables: readonly Filled[]): Promise<void> {
  const { server, directory } = rig
  const [backup, restored, moved] = ['backup', 'restored', 'moved'].map((name) =>
    join(directory, name),
  ) as [string, string, string]
  await run(['backup', backup, '--data', server.dataDir])
  await run(['restore', backup, '--data', restored])
  await compareAt(rig, 'restore', { tables, options: { dataDir: restored } })

  const cluster = await openCluster()
  try {
    const place = await cluster.newSite()
    const env = variablesOf(place)
    await run(['migrate', '--from', restored, '--to', 'cluster'], env)
    const config = { cluster: place, processes: 1 }
    await compareAt(rig, 'migrate', { tables, options: { config } })
    await run(['migrate', '--from', 'cluster', '--to', moved], env)
    await compareAt(rig, 'migrate back', { tables, options: { dataDir: moved } })
  } finally {
    await cluster.close()
  }
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, stderr } = await runCli(args, { env })
  assert.equal(code, 0, stderr)
}

interface Place {
  readonly tables: readonly Filled[]
  readonly options: TestOptions
}

async function compareAt({ faults }: Rig, door: string, { tables, options }: Place): Promise<void> {
  const server = await startTestServer(options)
  try {
    for (const { url, stored } of tables) {
      const found = await readAll(server, url)
      if (found.size !== stored.size)
        faults.push(`${door}: ${url} has ${found.size} entries, and had ${stored.size}`)
      for (const [k, entry] of stored) {
        const [one, other] = [entry, found.get(k)].map((each) => JSON.stringify(each))
        if (one !== other) faults.push(`${door}: ${one} came back as ${other}`)
      }
    }
  } finally {
    await server.stop()
  }
}
