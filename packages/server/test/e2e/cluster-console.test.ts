// The commands of the local cluster on its stores, with the stand-in for OpenSearch as a real process and without nodes.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Children } from '../../../../bench/cluster/children.ts'
import { Cluster } from '../../../../bench/cluster/cluster.ts'
import { runCommand } from '../../../../bench/cluster/console.ts'
import type { ClusterRedis } from '../../../../bench/cluster/redis.ts'
import { searchSettings, startSearch } from '../../../../bench/cluster/search.ts'
import { inherited } from './server-process.ts'

const QUIET = () => {}

async function startedSearch(context: TestContext): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'mangaassist-console-'))
  const children = new Children(folder, folder)
  context.after(() => children.close())
  const search = await startSearch(children)
  const settings = { ...inherited(), ...searchSettings(search.address) }
  const redis = { service: search } as unknown as ClusterRedis
  return new Cluster({ folder, adminToken: '', children, redis, dynamo: undefined, search, models: search, settings })
}

test('search restart makes the template again, so that the nodes write their edition there', async (context) => {
  const cluster = await startedSearch(context)
  const template = async () => (await fetch(`${cluster.search?.address}/_index_template/mangaassist-template`)).status
  assert.equal(await template(), 404)
  assert.match((await runCommand(cluster, 'search kill', QUIET)) ?? '', /was killed/)
  assert.match((await runCommand(cluster, 'search restart', QUIET)) ?? '', /is running/)
  assert.equal(await template(), 200)
})

test('a pause is said when it begins, and when it is over', async (context) => {
  const cluster = await startedSearch(context)
  const said: string[] = []
  const say = (line: string) => said.push(`${line}: ${cluster.search?.state()}`)
  for (const store of ['redis', 'search'])
    assert.equal(await runCommand(cluster, `${store} pause 0.01`, say), 'opensearch continues')
  assert.deepEqual(said, Array(2).fill('opensearch is paused for 0.01 s: running'))
})
