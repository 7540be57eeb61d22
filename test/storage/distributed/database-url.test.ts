import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostsOf } from '../../../lib/cluster/database-url.ts'

test('each host of an address gets a connection string', () => {
  assert.deepEqual(hostsOf('postgres://cms:s%40cret@one,two:5433/site?sslmode=require'), [
    { label: 'one', connectionString: 'postgres://cms:s%40cret@one/site?sslmode=require' },
    {
      label: 'two:5433',
      connectionString: 'postgres://cms:s%40cret@two:5433/site?sslmode=require',
    },
  ])
  const plain = 'postgresql://[::1]:5432/site'
  assert.deepEqual(hostsOf(plain), [{ label: '[::1]:5432', connectionString: plain }])
})

test('other addresses than those of PostgreSQL are refused', () => {
  for (const url of ['', 'mysql://one/site', 'postgres:///site', 'one,two'])
    assert.throws(() => hostsOf(url), TypeError, url)
})
