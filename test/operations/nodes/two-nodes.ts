// Two servers of one site in this process, on one database and one store, tested through their HTTP
// interface.

import type { TestContext } from 'node:test'
import type { TestCluster } from '../../helpers/cluster.ts'
import { startTestServer, type TestOptions, type TestServer } from '../../helpers/server.ts'

export async function startTwo(
  t: Pick<TestContext, 'after'>,
  cluster: TestCluster,
  options: TestOptions = {},
): Promise<readonly [TestServer, TestServer]> {
  const all = { ...options, config: { ...options.config, cluster: await cluster.newSite() } }
  const a = await startTestServer(all)
  const b = await startTestServer(all)
  // The nodes close before the database stops.
  t.after(() => Promise.all([a, b].map((node) => node.close())))
  return [a, b]
}
