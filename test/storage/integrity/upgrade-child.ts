// A process that upgrades a site of the earlier format, and stops after this number of commits until it is killed.

import { openPool } from '../../../lib/workers/pool.ts'
import { stepWith } from '../../helpers/earlier-format.ts'
import { openSite } from '../../helpers/site.ts'

const [dataDir = '', lastCommit = ''] = process.argv.slice(2)

const step = stepWith(async (commits) => {
  if (commits < Number(lastCommit)) return
  process.send?.('stopped')
  await new Promise(() => undefined)
})

const config = { dataDir, upgrade: true }
const storage = await openSite(dataDir, openPool(1), { config, upgradeSteps: [step] })
process.send?.('upgraded', () => void storage.close().then(() => process.exit(0)))
