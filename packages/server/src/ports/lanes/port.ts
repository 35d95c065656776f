// Permission to call a model: every attempt takes a permit of its lane and reports its outcome, from which the lane learns
// its capacity. A permit is a lease, so that it ends with a dead node. No verb rejects except `peek` and `operate`,
// which serve an operator: while the shared store is unavailable, a node uses its local lane.
import type { PermitAnswer } from '#domain/lane/lane-counter.ts'
import type { LaneView } from '#domain/lane/lane-view.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import type { OperatorMark } from '#domain/lane/state.ts'
import type { ModelErrorClass } from '#domain/model/model-part.ts'

export interface LaneAsk {
  /** Names the permit: a repeated request gets the same one, and `served` and `report` refer to it. */
  readonly id: string
  readonly ask:
    | { readonly kind: 'first' }
    /** Paid from the lane's retry bucket; `after` is the earlier failure. */
    | { readonly kind: 'retry'; readonly after: { readonly class: ModelErrorClass; readonly tookMs: number } }
}

export interface Lanes {
  /** Whether a call may be made now. */
  permit(lane: string, ask: LaneAsk): Promise<PermitAnswer>
  /** The first text arrived; the permit now lasts for `leaseMs`, the time that the rest of the answer may take. */
  served(lane: string, permitId: string, leaseMs: number): Promise<void>
  /** Reports how the call ended. A second report, or one after the lease, is ignored. */
  report(lane: string, permitId: string, outcome: Outcome): Promise<void>
  /** Reports a call that was not made because the lane was full. */
  shed(lane: string): Promise<void>
  /** The current state of a lane. Reading it never takes a probe. */
  peek(lane: string): Promise<LaneView>
  /** The state as of the last tick, for callers that cannot wait. */
  seen(lane: string): LaneView
  /** Forces a lane open, returns it to its controller, or disables its circuit and limit. */
  operate(lane: string, action: OperatorMark['action'], by: string): Promise<LaneView>
  /** Calls `listener` when a lane may now grant what it refused before, or its state changed. */
  onChange(listener: (lane: string) => void): Disposable
  /** Ticks the lanes that this node controls, and reads the others. Must be called twice a second. */
  tick(): Promise<void>
}
