// What operators read and change while the servers run: the figures of user tiers, the limits of single users, the counted usage.
// Every change has a reason and a line in the audit; the ledger is never changed.
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { isLive } from '#domain/budget/overrides.ts'
import type { UserOverride } from '#domain/budget/overrides.ts'
import { NOTHING } from '#domain/budget/quota.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import { Refusal } from '#domain/refusal.ts'
import type { TierFigures } from '#domain/budget/tier-limits.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdminStore, AuditAction, AuditAsked, AuditEntry, Change } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Limits } from './principal-limits.ts'
import type { FindUserQuota, UserQuota } from './user-quota.ts'

export interface AdminParts {
  readonly admin: AdminStore
  readonly clock: Clock
  readonly config: Config
  readonly limits: Limits
  readonly sessions: SessionStore
  readonly budgets: Budgets
  readonly telemetry: Telemetry
  readonly userQuota: FindUserQuota
}

/** Who makes a change, and why. */
export interface Author {
  readonly by: string
  readonly reason: string
}

export interface TierView {
  readonly tier: string
  readonly configured: TierFigures
  readonly override?: Partial<TierFigures>
  readonly effective: TierFigures
}

export interface OverrideView extends Omit<UserOverride, 'expiresAt'> {
  readonly userId: string
  readonly expiresAt?: string
  readonly expired: boolean
}

export interface UserView extends UserQuota {
  readonly override?: OverrideView
}

export interface AuditLine extends Omit<AuditEntry, 'at'> {
  readonly at: string
}

export type ResetScope = { readonly scope: 'day' } | { readonly scope: 'session'; readonly sessionId: string }

export function createAdminQueries(parts: AdminParts) {
  const { admin, clock, config, limits, sessions, budgets: state, telemetry } = parts
  const change = ({ by, reason }: Author): Change => ({ at: clock.now(), by, reason })

  function configuredTier(tier: string, code: 'NOT_FOUND' | 'INVALID_REQUEST'): TierFigures {
    const configured = Object.hasOwn(config.tiers, tier) ? config.tiers[tier] : undefined
    if (configured === undefined) throw new Refusal(code, { details: { field: 'tier', reason: 'is not configured' } })
    return configured
  }

  /** Reports a change, and refreshes the limits of this node so that it applies here at once. */
  async function done(entry: AuditEntry): Promise<AuditLine> {
    telemetry.count('admin_changed_total', { action: entry.action })
    telemetry.log('info', 'admin.changed', { action: entry.action, number: entry.number, by: entry.by })
    await limits.latest()
    return lineOf(entry)
  }

  async function taken(of: ResetScope & { readonly userId: string }): Promise<Amounts> {
    if (of.scope === 'day') {
      return state.reset({ principalId: of.userId, day: dayOf(clock.now(), config.store.timeZone) })
    }
    const session = await sessions.find(of.sessionId)
    if (session?.principalId !== of.userId) throw new Refusal('NOT_FOUND', { details: { field: 'sessionId' } })
    return state.reset({ principalId: of.userId, sessionId: of.sessionId })
  }

  return {
    async tiers(): Promise<readonly TierView[]> {
      const overrides = await limits.latest()
      return Object.entries(config.tiers).map(([tier, configured]) => {
        const override = overrides.tiers.get(tier)
        const effective = { ...configured, ...override }
        return { tier, configured, ...(override === undefined ? {} : { override }), effective }
      })
    },

    /** Overrides configured figures of a tier; undefined removes the override. */
    async setTier(tier: string, figures: Partial<TierFigures> | undefined, author: Author): Promise<AuditLine> {
      configuredTier(tier, 'NOT_FOUND')
      return done(await admin.setTier(tier, figures, change(author)))
    },

    async userOverrides(): Promise<readonly OverrideView[]> {
      const { users } = await limits.latest()
      return [...users].map(([userId, override]) => overrideView(userId, override, clock.now()))
    },

    async user(userId: string, tier?: string): Promise<UserView> {
      if (tier !== undefined) configuredTier(tier, 'INVALID_REQUEST')
      const override = (await limits.latest()).users.get(userId)
      const quota = await parts.userQuota(userId, tier)
      return override === undefined ? quota : { ...quota, override: overrideView(userId, override, clock.now()) }
    },

    async setUser(userId: string, override: UserOverride | undefined, author: Author): Promise<AuditLine> {
      if (override?.tier !== undefined) configuredTier(override.tier, 'INVALID_REQUEST')
      if (override !== undefined && !isLive(override, clock.now())) {
        throw new Refusal('INVALID_REQUEST', { details: { field: 'expiresAt', reason: 'is in the past' } })
      }
      const entry = await admin.setUser(userId, override, change(author))
      if (entry === undefined) {
        const reason = 'the maximum number of overrides is reached: remove some first'
        throw new Refusal('INVALID_REQUEST', { details: { field: 'userId', reason } })
      }
      return done(entry)
    },

    /** Sets the counted usage to zero; holds of running turns stay. */
    async reset(of: ResetScope & { readonly userId: string }, author: Author): Promise<AuditLine> {
      const action: AuditAction = of.scope === 'day' ? 'day-reset' : 'session-reset'
      const entry = { ...change(author), action, subject: of.userId, after: NOTHING }
      let before: Amounts | undefined
      try {
        before = await taken(of)
        return await done(await admin.note({ ...entry, before }))
      } catch (error) {
        if (error instanceof Refusal) throw error
        // The reset was made, or may have been, and cannot be undone: it is logged, and noted in the audit if possible.
        telemetry.log('error', 'admin.reset-uncertain', { action, by: author.by, ...before }, error)
        if (before === undefined) await admin.note({ ...entry, before: null })
        throw error
      }
    },

    async audit(asked: AuditAsked): Promise<readonly AuditLine[]> {
      return (await admin.audit(asked)).map(lineOf)
    },
  }
}

const lineOf = (entry: AuditEntry): AuditLine => ({ ...entry, at: isoTime(entry.at) })

function overrideView(userId: string, { expiresAt, ...rest }: UserOverride, now: number): OverrideView {
  if (expiresAt === undefined) return { userId, ...rest, expired: false }
  return { userId, ...rest, expiresAt: isoTime(expiresAt), expired: now >= expiresAt }
}
