// What the shell offers to a screen: the admin client, the operator's session, navigation, the one poller, and the dialog through
// which every change is made.
import type { AdminClient } from '@mangaassist/client/admin'
import type { AuditLine, Role, SessionView } from '@mangaassist/protocol/admin'
import type { PollJob } from '../data/poller.ts'
import type { FocusMark } from './focus.ts'

interface FieldBase {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly value?: string
  readonly isRequired?: boolean
}

export type ActionField = FieldBase &
  (
    | { readonly kind: 'text'; readonly lengthMax?: number }
    | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly step?: number }
    | { readonly kind: 'time' }
    | { readonly kind: 'day' }
    | { readonly kind: 'choice'; readonly choices: readonly { readonly value: string; readonly label: string }[] }
  )

export type FieldValues = Readonly<Record<string, string>>

export interface ActionResult {
  /** The line that the change has in the audit. */
  readonly line?: AuditLine | undefined
  /** The subject under which the audit has it, where the response is not the line itself. */
  readonly subject?: string
  /** The result, as a text. */
  readonly note?: string
}

/** A change that the operator confirms with a reason. */
export interface Action {
  readonly title: string
  /** What it does, and to what. */
  readonly text: string
  readonly isDangerous?: boolean
  readonly fields?: readonly ActionField[]
  /** What has to be typed before it can be confirmed, for a change that cannot be undone. */
  readonly typed?: string
  run(reason: string, values: FieldValues): Promise<ActionResult>
}

export interface Host {
  readonly api: AdminClient
  readonly session: SessionView
  now(): number
  may(role: Role): boolean
  go(href: string): void
  /** Opens the dialog; after the change the screen is loaded again. */
  act(action: Action): void
  /** The control to focus when the view is shown: on return to it, the one from which it was left. */
  focusOnArrival(): FocusMark | undefined
  /** Starts the screen's polls, which replace those of the screen before. */
  poll(job: PollJob): void
  reload(): void
  /** The session has ended: back to the sign-in. */
  lostSession(): void
}
