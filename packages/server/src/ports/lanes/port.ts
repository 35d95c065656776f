// Permission to call a model: every attempt takes a permit of its lane and reports how it went, and by that the lane learns
// what it can bear. A permit is a lease, so that a node that died gives back what it held. No verb ever rejects but
// `peek`, `operate` and `maintain`, which a person waits for: with the shared state away, a node goes by its own lane.
import type { PermitAnswer } from '#domain/lane/lane-counter.ts'
import type { LaneView } from '#domain/lane/lane-view.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import type { OperatorMark } from '#domain/lane/state.ts'
import type { ModelErrorClass } from '#domain/model/model-part.ts'

export interface LaneAsk {
  /** Names the permit: asking again under it gives the same one, and it is served and reported by it. */
  readonly id: string
  readonly ask:
    | { readonly kind: 'first' }
    /** Paid from the lane's retry bucket, by what went wrong before. */
    | { readonly kind: 'retry'; readonly after: { readonly class: ModelErrorClass; readonly tookMs: number } }
}

/** Maintenance is the whole service's: who switched it on, and when. */
export type Maintenance = Pick<OperatorMark, 'by' | 'at'>

export interface Lanes {
  /** Whether a call may be made now. */
  permit(lane: string, ask: LaneAsk): Promise<PermitAnswer>
  /** The first words came; the permit is now kept for `leaseMs`, which is what the rest of the answer may take. */
  served(lane: string, permitId: string, leaseMs: number): Promise<void>
  /** How the call ended. What is said of a permit a second time, or after its lease, counts for nothing. */
  report(lane: string, permitId: string, outcome: Outcome): Promise<void>
  /** Someone went elsewhere because the lane was full. */
  shed(lane: string): Promise<void>
  /** How a lane is at this moment. Takes no probe, however often it is asked. */
  peek(lane: string): Promise<LaneView>
  /** The same as of the last tick: for those who cannot wait. */
  seen(lane: string): LaneView
  /** Forces a lane open, gives it back to its controller, or takes circuit and limit away. */
  operate(lane: string, action: OperatorMark['action'], by: string): Promise<LaneView>
  maintain(isOn: boolean, by: string): Promise<void>
  /** As of the last tick; null: the service is open. */
  maintenance(): Maintenance | null
  /** Calls `listener` when a lane may now let through what it refused before, or looks different. */
  onChange(listener: (lane: string) => void): Disposable
  /** Moves on the lanes that are this node's to move, and looks at the others. To be called twice a second. */
  tick(): Promise<void>
}
