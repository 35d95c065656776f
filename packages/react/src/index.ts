// `<MangaAssist>`: the chat as a React component, for React 18 and 19. It renders the element, loads its script in the browser and
// passes settings and events; on a server it renders the bare tag. React itself is the page's.
'use client'

import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from 'react'
import type { CSSProperties, DetailedHTMLProps, HTMLAttributes } from 'react'
import { loadElement } from './element.ts'
import type { GetToken, LoadOptions, MangaAssistElement, MangaAssistEvents, MangaAssistSettings } from './element.ts'

export type { MangaAssistElement, MangaAssistEvents, MangaAssistSettings } from './element.ts'

type Listener<Name extends keyof MangaAssistEvents> = (event: CustomEvent<MangaAssistEvents[Name]>) => void

export interface MangaAssistProps extends MangaAssistSettings {
  /** A pinned address of the script, from `/widget.json`. */
  readonly script?: LoadOptions['script']
  /** For a signed-in user: a token of the shop's issuer. Called whenever one is needed. */
  readonly getToken?: GetToken | undefined
  readonly id?: string | undefined
  readonly className?: string | undefined
  readonly style?: CSSProperties | undefined
  readonly onReady?: Listener<'manga-assist-ready'> | undefined
  readonly onOpen?: Listener<'manga-assist-open'> | undefined
  readonly onClose?: Listener<'manga-assist-close'> | undefined
  readonly onAsk?: Listener<'manga-assist-ask'> | undefined
  readonly onAnswer?: Listener<'manga-assist-answer'> | undefined
  readonly onLanguage?: Listener<'manga-assist-language'> | undefined
  readonly onError?: Listener<'manga-assist-error'> | undefined
  readonly onCart?: Listener<'manga-assist-cart'> | undefined
  /** The script could not be loaded: the page has no chat. */
  readonly onUnavailable?: ((error: unknown) => void) | undefined
}

const listeners = {
  'manga-assist-ready': 'onReady',
  'manga-assist-open': 'onOpen',
  'manga-assist-close': 'onClose',
  'manga-assist-ask': 'onAsk',
  'manga-assist-answer': 'onAnswer',
  'manga-assist-language': 'onLanguage',
  'manga-assist-error': 'onError',
  'manga-assist-cart': 'onCart',
} as const satisfies Record<keyof MangaAssistEvents, keyof MangaAssistProps>

export const MangaAssist = forwardRef<MangaAssistElement, MangaAssistProps>(function MangaAssist(props, outer) {
  const element = useRef<MangaAssistElement>(null)
  // The listeners of the last render, so that a new function in the page needs no new listener on the element.
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useImperativeHandle(outer, () => element.current as MangaAssistElement, [])

  useEffect(() => {
    const target = element.current
    if (target === null) return
    const ended = new AbortController()
    for (const [name, prop] of Object.entries(listeners)) {
      const listen = (event: Event): void => (latest.current[prop] as ((event: Event) => void) | undefined)?.(event)
      target.addEventListener(name, listen, { signal: ended.signal })
    }
    return () => ended.abort()
  }, [])

  const isSignedIn = props.getToken !== undefined
  useEffect(() => {
    if (element.current === null) return
    element.current.getToken = isSignedIn ? () => latest.current.getToken?.() ?? null : null
  }, [isSignedIn])

  const { server, script } = props
  const { path, integrity } = script ?? {}
  useEffect(() => {
    const pinned = path === undefined || integrity === undefined ? undefined : { path, integrity }
    loadElement({ server, script: pinned }).catch((error: unknown) => latest.current.onUnavailable?.(error))
  }, [server, path, integrity])

  return createElement('manga-assist', { ref: element, suppressHydrationWarning: true, ...attributesOf(props) })
})

/** `true` or nothing for switches: React 18 would write `false` as a text. */
function attributesOf(props: MangaAssistProps): Record<string, unknown> {
  const { language, position, accent, theme, product, greeting, suggestions, server, linkHosts, layout } = props
  return {
    language,
    position,
    accent,
    theme,
    product,
    greeting,
    suggestions: suggestions?.join('|'),
    server,
    'link-hosts': linkHosts?.join(' '),
    layout,
    inline: props.inline === true || undefined,
    open: props.open === true || undefined,
    cart: props.cart === true || undefined,
    id: props.id,
    class: props.className,
    style: props.style,
  }
}

/** The attributes of the plain tag in JSX. */
type TagProps = DetailedHTMLProps<HTMLAttributes<MangaAssistElement>, MangaAssistElement> & {
  readonly language?: string
  readonly position?: string
  readonly accent?: string
  readonly theme?: string
  readonly product?: string
  readonly greeting?: string
  readonly suggestions?: string
  readonly server?: string
  readonly 'link-hosts'?: string
  readonly layout?: string
  readonly inline?: boolean
  readonly open?: boolean
  readonly cart?: boolean
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'manga-assist': TagProps
    }
  }
}
