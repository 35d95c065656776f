// What the checks read from the cluster once it is quiet: conversations as their guests, ledger and budgets as an administrator, and
// the record of the simulated models. A read that is refused is repeated.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { QuotaView, SessionDetail } from '../../packages/protocol/src/index.ts'
import type { UsageRow, UserView } from '../../packages/protocol/src/admin/index.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { sleep } from './reader.ts'

const TRIES_MAX = 20
const AGAIN_MS = 500
const PAGE = 1000

/** A call that ended at the models. */
export interface EndedCall {
  readonly number: number
  readonly outcome: string
  readonly model: string
  readonly promptTokens: number
  readonly tokensSent: number
  readonly marker?: string
}

export class ClusterApi {
  readonly #cluster: Cluster

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  async #get(path: string, headers: Record<string, string>): Promise<{ data: unknown; next: string | undefined }> {
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(`${this.#cluster.address}${path}`, { headers }).catch(() => undefined)
      const body = await response?.text()
      if (response?.ok === true && body !== undefined) {
        const { data, metadata } = JSON.parse(body) as { data: unknown; metadata: { next?: string } }
        return { data, next: metadata.next }
      }
      if (tries === TRIES_MAX) throw new Error(`${path} cannot be read: ${response?.status} ${body}`)
      await sleep(AGAIN_MS)
    }
  }

  async session(sessionId: string, cookie: string): Promise<SessionDetail> {
    return (await this.#get(`/api/sessions/${sessionId}`, { cookie })).data as SessionDetail
  }

  async quota(cookie: string): Promise<QuotaView> {
    return (await this.#get('/api/quota', { cookie })).data as QuotaView
  }

  async user(userId: string): Promise<UserView> {
    return (await this.#get(`/api/admin/users/${encodeURIComponent(userId)}`, this.#admin())).data as UserView
  }

  async rows(): Promise<readonly UsageRow[]> {
    const rows: UsageRow[] = []
    for (let after: string | undefined = ''; after !== undefined;) {
      const query: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`
      const page = await this.#get(`/api/admin/usage/rows?limit=${PAGE}${query}`, this.#admin())
      rows.push(...(page.data as UsageRow[]))
      after = page.next
    }
    return rows
  }

  calls(): readonly EndedCall[] {
    const lines = readFileSync(join(this.#cluster.folder, 'calls.jsonl'), 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as EndedCall)
  }

  /** Calls that the models have not ended. */
  async running(): Promise<number> {
    const response = await fetch(`${this.#cluster.models.address}/_sim/attempts`)
    const { attempts } = (await response.json()) as { attempts: { outcome: string }[] }
    return attempts.filter(({ outcome }) => outcome === 'running').length
  }

  #admin(): Record<string, string> {
    return { authorization: `Bearer ${this.#cluster.adminToken}` }
  }
}
