// The members of the demo, one of each user tier. They are not people: every visitor of a demo may be any of them, with an account of
// the visitor's own, so that no other visitor sees what was brought along.
import type { Localized } from '@mangaassist/protocol'

export interface DemoMember {
  /** What the subject of their tokens begins with. */
  readonly id: string
  readonly name: Localized
  readonly tier: string
}

/** The issuer of the demo; its name is in the ids of the members. */
export const DEMO_ISSUER = 'urn:mangaassist:demo'
export const DEMO_ISSUER_NAME = 'demo'

export const DEMO_MEMBERS: readonly DemoMember[] = [
  { id: 'haru', name: { ja: '青井 はる', en: 'Haru Aoi' }, tier: 'free' },
  { id: 'natsu', name: { ja: '木村 なつ', en: 'Natsu Kimura' }, tier: 'standard' },
  { id: 'aki', name: { ja: '月野 あき', en: 'Aki Tsukino' }, tier: 'premium' },
]

const PRINCIPAL_PREFIX = `user:${DEMO_ISSUER_NAME}:`

/** Every visitor can be such a principal, and any number of them. */
export const isDemoPrincipal = (principalId: string): boolean => principalId.startsWith(PRINCIPAL_PREFIX)

export const demoMemberOf = (principalId: string): DemoMember | undefined =>
  DEMO_MEMBERS.find(({ id }) => principalId.startsWith(`${PRINCIPAL_PREFIX}${id}.`))

/** How a member of the demo signs in. */
export interface DemoSignIn {
  readonly tokenLifeMs: number
  /** A token that proves the visitor's member. */
  readonly tokenOf: (member: DemoMember, visitor: string) => Promise<string>
}
