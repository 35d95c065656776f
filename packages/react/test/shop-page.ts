// A page of a shop in React, for the test in a browser.
import { createElement, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { MangaAssist } from '../src/index.ts'

const events: string[] = []
Object.assign(globalThis, { events })

function ShopPage(): ReturnType<typeof createElement> {
  const [isShown, setShown] = useState(true)
  const [isOpen, setOpen] = useState(false)
  const { server } = document.body.dataset
  const chat = createElement(MangaAssist, {
    server,
    language: 'en',
    suggestions: ['One', 'Two'],
    open: isOpen,
    onReady: () => events.push('ready'),
    onOpen: () => events.push('open'),
    onClose: () => {
      events.push('close')
      setOpen(false)
    },
    onAnswer: ({ detail }) => events.push(`answer ${detail.turnId}`),
  })
  const button = (id: string, onClick: () => void): ReturnType<typeof createElement> =>
    createElement('button', { id, onClick }, id)
  return createElement(
    'main',
    null,
    button('open', () => setOpen(true)),
    button('toggle', () => setShown(!isShown)),
    isShown ? chat : null,
  )
}

const root = document.querySelector('#root')
if (root !== null) createRoot(root).render(createElement(StrictMode, null, createElement(ShopPage)))
