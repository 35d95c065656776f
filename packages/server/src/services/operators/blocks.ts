// Blocks of abusers: which callers are blocked now, and how operators block them. They are stored beside the settings of operators, so they reach
// every node with the next poll, survive restarts, and the last known ones apply while the store is unavailable. Every change has a
// reason and a line in the audit.
import { BlockBook, blockSetting, BLOCKS_MAX } from '#domain/blocks/block-book.ts'
import { blockedRefusal } from '#domain/blocks/blocked-refusal.ts'
import { parseTarget } from '#domain/blocks/block-target.ts'
import type { BlockKind, BlockTarget } from '#domain/blocks/block-target.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { settingIn } from '#domain/settings/run-settings.ts'
import type { Settings } from '#domain/settings/run-settings.ts'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdminStore, AuditEntry } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { AuditLine, Author } from '../admin.ts'
import type { Limits } from '../principal-limits.ts'

export interface Blocks {
  isPrincipalBlocked(principalId: string): boolean
  /** Throws the refusal of a blocked caller, and counts it. */
  requireUnblocked(principal: Pick<Principal, 'id'>): void
  isAddressBlocked(address: string): boolean
  book(): BlockBook
}

/** As of the last poll, without waiting. */
export function createBlocks(parts: Pick<BlockQueriesParts, 'clock' | 'limits' | 'telemetry'>): Blocks {
  const { clock, limits, telemetry } = parts
  let read: { readonly settings: Settings; readonly book: BlockBook } | undefined
  function book(): BlockBook {
    const settings = limits.settings()
    if (read?.settings !== settings) read = { settings, book: new BlockBook(settings) }
    return read.book
  }
  const isPrincipalBlocked = (principalId: string) => book().isPrincipalBlocked(principalId, clock.now())
  return {
    book,
    isPrincipalBlocked,
    requireUnblocked({ id }) {
      if (!isPrincipalBlocked(id)) return
      telemetry.count('request_blocked_total', { by: 'principal' })
      throw blockedRefusal()
    },
    isAddressBlocked: (address) => book().isAddressBlocked(address, clock.now()),
  }
}

export interface BlockQueriesParts {
  readonly admin: Pick<AdminStore, 'setSetting'>
  readonly blocks: Blocks
  readonly clock: Pick<Clock, 'now'>
  readonly limits: Pick<Limits, 'latest' | 'settings'>
  readonly telemetry: Telemetry
}

export interface BlockView {
  readonly target: string
  readonly kind: BlockKind
  readonly by: string
  readonly at: string
  readonly reason: string
  readonly until?: string
}

export interface BlockRequest {
  readonly target: string
  readonly expiresAt?: number
  /** The address of the operator, who is not to be locked out. */
  readonly callerAddress: string
  /** Blocks this machine or the operator's own address nevertheless. */
  readonly force?: boolean
}

const LOOPBACK = ['127.0.0.0/8', '::1']
const invalid = (field: string, reason: string) => new Refusal('INVALID_REQUEST', { details: { field, reason } })

export function createBlockQueries(parts: BlockQueriesParts) {
  const { admin, blocks, clock, limits, telemetry } = parts

  async function done(entry: AuditEntry): Promise<AuditLine> {
    const { action, by, number } = entry
    telemetry.count('admin_changed_total', { action })
    // Without its subject, which is an address or the id of a person.
    telemetry.log('warn', 'admin.changed', { action, number, by })
    await readAgain()
    return { ...entry, at: isoTime(entry.at) }
  }

  /** While the store is unavailable the last known blocks apply and are shown; the poll reports it. */
  async function readAgain(): Promise<void> {
    await limits.latest().catch(() => undefined)
  }

  return {
    isAddressBlocked: blocks.isAddressBlocked,

    /** Those in effect, newest first. */
    async blocks(): Promise<readonly BlockView[]> {
      await readAgain()
      const found = blocks.book().list(clock.now())
      return found
        .toSorted((one, other) => other.setting.at - one.setting.at)
        .map(({ setting: { at, by, expiresAt, reason }, target: { kind, text } }) => {
          const until = expiresAt === undefined ? {} : { until: isoTime(expiresAt) }
          return { target: text, kind, by, at: isoTime(at), reason, ...until }
        })
    },

    /** Replaces an earlier block of the same target. */
    async block(request: BlockRequest, { by, reason }: Author): Promise<AuditLine> {
      const target = targetOf(request.target)
      const { expiresAt } = request
      const at = clock.now()
      if (expiresAt !== undefined && expiresAt <= at) throw invalid('until', 'is in the past')
      if (request.force !== true) requireOthers(target, request.callerAddress)
      await readAgain()
      const isNew = settingIn(limits.settings(), blockSetting(target.text), at) === undefined
      if (isNew && blocks.book().list(at).length >= BLOCKS_MAX)
        throw invalid('target', `there are ${BLOCKS_MAX} blocks already: remove some first, or block a network`)
      const setting = { value: true, by, at, reason, ...(expiresAt === undefined ? {} : { expiresAt }) }
      const change = { at, by, reason, action: 'blocked', subject: target.text } as const
      const entry = await admin.setSetting(blockSetting(target.text), setting, change)
      if (entry === undefined) throw invalid('target', 'the maximum number of settings is reached')
      return done(entry)
    },

    /** Throws NOT_FOUND when it is not blocked. */
    async unblock(given: string, { by, reason }: Author): Promise<AuditLine> {
      const { text: target } = targetOf(given)
      await readAgain()
      if (!limits.settings().has(blockSetting(target)))
        throw new Refusal('NOT_FOUND', { details: { field: 'target', reason: 'is not blocked' } })
      const change = { at: clock.now(), by, reason, action: 'unblocked', subject: target } as const
      const entry = await admin.setSetting(blockSetting(target), undefined, change)
      if (entry === undefined) throw new Error('a removal always has room')
      return done(entry)
    },
  }
}

function targetOf(given: string): BlockTarget {
  const target = parseTarget(given)
  if (target === undefined)
    throw invalid(
      'target',
      'must be user:ISSUER:ID, key:NAME, guest_…, an address, or a network such as 203.0.113.0/24',
    )
  return target
}

/** A slip must not lock out the operator, or the machine's own health checks and proxy. */
function requireOthers(target: BlockTarget, callerAddress: string): void {
  if (!('prefix' in target)) return
  const holds = bookOf([target.text])
  if (
    bookOf(LOOPBACK).isAddressBlocked(firstOf(target.text), 0) ||
    LOOPBACK.some((own) => holds.isAddressBlocked(firstOf(own), 0))
  )
    throw invalid('target', 'contains this machine itself (loopback): repeat with force if you mean it')
  if (holds.isAddressBlocked(callerAddress, 0))
    throw invalid('target', 'contains the address that you are calling from: repeat with force if you mean it')
}

const firstOf = (network: string) => network.split('/')[0] ?? ''

function bookOf(targets: readonly string[]): BlockBook {
  const setting = { value: true, by: '', at: 0, reason: '' }
  return new BlockBook(new Map(targets.map((target) => [blockSetting(target), setting])))
}
