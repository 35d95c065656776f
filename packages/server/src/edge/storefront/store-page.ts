// What a page of the storefront is before it becomes a document: its content, and what the head says of it. A page is a function
// of its data and a context; `rendering/document.ts` makes the document.
import type { Language } from '@mangaassist/protocol'
import type { DemoMember } from '#domain/identity/demo-members.ts'
import type { Html } from './rendering/html.ts'
import type { Say } from './words.ts'

/** The reader of a page, as its head shows them. */
export interface Reader {
  /** Undefined while it is not known. */
  readonly cartCount?: number
  readonly member?: DemoMember
  /** Whether there is a sign-in page. */
  readonly canSignIn: boolean
}

export interface StoreContext {
  readonly language: Language
  readonly say: Say
  readonly shopName: string
  /** Scheme and host of the shop, for addresses that leave the page. */
  readonly origin: string
  /** The address of a page in the reader's language. */
  readonly href: (path: string) => string
  /** What the head says of the reader; absent where it is not known who reads. */
  readonly reader?: Reader
}

export interface StorePage {
  /** Default: 200. */
  readonly status?: number
  /** Names the page for the browser's script: the focus stays where the same page is shown again. */
  readonly name: string
  /** Without the shop's name. */
  readonly title: string
  readonly description: string
  /** The path of the Japanese page, with its query; undefined when the page has no address of its own. */
  readonly path: string | undefined
  /** Default: search engines may list it. */
  readonly isListed?: boolean
  /** The series that the page is about. */
  readonly productId?: string
  /** Path of the PNG that other sites show beside a link to the page. */
  readonly picture?: string
  /** Data for search engines, in the words of schema.org. */
  readonly structured?: readonly object[]
  readonly main: Html
}
