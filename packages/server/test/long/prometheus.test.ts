// A real Prometheus scrapes a running server, loads the rules that `mangaassist alarms --prometheus` prints, and runs the expression of every rule and of every panel of the
// dashboards. Needs `prometheus` and `promtool`.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { alarmTable } from '#domain/alarms/alarm-table.ts'
import { DASHBOARDS } from '#domain/alarms/export/dashboard-panels.ts'
import { expressionsOf } from '#domain/alarms/export/dashboards.ts'
import { expressionOf } from '#domain/alarms/export/expression.ts'
import { prometheusRules } from '#domain/alarms/export/prometheus.ts'
import { freePort } from '#fixtures/stores/free-port.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { startServer, temporaryFolder } from '../e2e/server-process.ts'

/** The rules with the default settings, in a file of `folder`. */
async function rulesIn(folder: string): Promise<string> {
  const path = join(folder, 'alerts.yml')
  await writeFile(path, prometheusRules(alarmTable, defaults.alarms.runbookUrl))
  return path
}

interface Reply<Data> {
  readonly status: string
  readonly error?: string
  readonly data: Data
}

/** A Prometheus that scrapes `target` every second and evaluates the rules as often. */
async function startPrometheus(folder: string, target: string) {
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [await rulesIn(folder)],
    scrape_configs: [{ job_name: 'mangaassist', static_configs: [{ targets: [target] }] }],
  }
  const path = join(folder, 'prometheus.yml')
  // YAML contains JSON.
  await writeFile(path, JSON.stringify(config))
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(
    'prometheus',
    [`--config.file=${path}`, `--storage.tsdb.path=${join(folder, 'tsdb')}`, `--web.listen-address=${address}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  child.stderr.on('data', (piece: Buffer) => (log = (log + piece.toString()).slice(-10_000)))
  const ask = async <Data>(route: string): Promise<Reply<Data> | undefined> => {
    assert.equal(child.exitCode, null, log)
    const response = await fetch(`http://${address}/api/v1/${route}`).catch(() => undefined)
    return response === undefined ? undefined : ((await response.json()) as Reply<Data>)
  }
  return {
    ask,
    query: async (expression: string) => {
      const reply = await ask<{ result: readonly { metric: object; value: [number, string] }[] }>(
        `query?query=${encodeURIComponent(expression)}`,
      )
      assert.equal(reply?.status, 'success', `${reply?.error}: ${expression}`)
      return reply.data.result
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
}

test('promtool accepts the rules', async () => {
  await using folder = await temporaryFolder()
  const rules = await rulesIn(folder.path)
  const { status, stderr, stdout } = spawnSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, new RegExp(`SUCCESS: ${alarmTable.length} rules found`))
})

test('a real Prometheus runs the expression of every rule and every panel over what it scraped', async () => {
  await using folder = await temporaryFolder()
  await using server = await startServer({ dataDir: join(folder.path, 'data') })
  await using prometheus = await startPrometheus(folder.path, new URL(server.address).host)
  const client = await server.connect()
  let asked = 0
  const chat = async () => {
    client.send({ type: 'chat', requestId: `r${(asked += 1)}`, message: `泣ける漫画を${asked}冊教えて` })
    await client.until('done')
  }
  await chat()
  await waitUntil('the server was scraped', async () => {
    const reply = await prometheus.ask<{ activeTargets: readonly { health: string }[] }>('targets')
    return reply?.data.activeTargets[0]?.health === 'up'
  })
  const answers = async () => {
    const [series] = await prometheus.query('sum(mangaassist_turn_first_word_seconds_count)')
    return Number(series?.value[1] ?? 0)
  }
  await waitUntil('the first answer was scraped', async () => (await answers()) === 1)
  await chat()
  await waitUntil('the second answer was scraped', async () => (await answers()) === 2)
  for (const alarm of alarmTable) await prometheus.query(expressionOf(alarm))
  let shown = 0
  for (const name of DASHBOARDS)
    for (const expression of expressionsOf(name)) if ((await prometheus.query(expression)).length > 0) shown += 1
  assert.ok(shown > 20, `only ${shown} expressions of panels have data`)
  await waitUntil('every rule was evaluated', async () => {
    const reply = await prometheus.ask<{
      groups: readonly { rules: readonly { name: string; health: string; lastError?: string }[] }[]
    }>('rules')
    const rules = reply?.data.groups.flatMap((group) => group.rules) ?? []
    const broken = rules.filter(({ health }) => health === 'err')
    assert.deepEqual(broken, [])
    return rules.length === alarmTable.length && rules.every(({ health }) => health === 'ok')
  })
})
