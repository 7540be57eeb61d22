// The contract of contents over the scripted store. npm run test:cluster verifies the contract on a
// real store (test/cluster).

import { after } from 'node:test'
import { openPool } from '../../../lib/workers/pool.ts'
import { BUCKET, type BreakingS3, startBreakingS3 } from '../../helpers/breaking-s3.ts'
import { contentsContract } from '../contents-contract.ts'
import { AT_ONCE, contractOpener } from './open-cluster.ts'

const pool = openPool(2)
const s3: BreakingS3 = await startBreakingS3()
after(async () => {
  await s3.close()
  await pool.close()
})

const under = {
  settings: {
    bucket: BUCKET,
    endpoint: s3.endpoint,
    accessKeyId: 'a',
    secretAccessKey: 'b',
    forcePathStyle: true,
  },
  keysUnder: (prefix: string) =>
    [...s3.objects.keys(), ...[...s3.uploads.values()].map(({ key }) => key)].filter((key) =>
      key.startsWith(prefix),
    ),
}

contentsContract('a scripted store, each written at once', contractOpener(under, pool, AT_ONCE))
