// The page of the chat's settings: applies them to a chat on the page and writes the tag that does the same elsewhere. Values are set
// as attributes and texts, never as markup.
const form = document.querySelector('#settings')
const note = document.querySelector('#note')
const chat = document.createElement('manga-assist')
const script = await pinned()

form.addEventListener('input', show)
document.querySelector('#open').addEventListener('click', () => (chat.open = true))
document.querySelector('#copy').addEventListener('click', () => void copy())
show()
document.body.append(chat)

/** The current script with its hash; without it the page offers the unpinned tag. */
async function pinned() {
  try {
    const response = await fetch('/widget.json')
    return response.ok ? (await response.json()).script : undefined
  } catch {
    return undefined
  }
}

function show() {
  const values = [...new FormData(form)].filter(([name, value]) => name !== 'pinned' && value.trim() !== '')
  const styles = values.filter(([name]) => name.startsWith('--'))
  const attributes = values
    .filter(([name]) => !name.startsWith('--'))
    .map(([name, value]) => [name, switchOr(name, value)])
  for (const { name } of form.elements) {
    if (name === 'pinned') continue
    const [, value] = values.find(([other]) => other === name) ?? []
    if (name.startsWith('--')) chat.style.setProperty(name, value ?? '')
    else if (value === undefined) chat.removeAttribute(name)
    else chat.setAttribute(name, switchOr(name, value))
  }
  document.querySelector('#tag').textContent = tagOf(attributes)
  document.querySelector('#css').textContent = cssOf(styles)
  document.querySelector('#css-part').hidden = styles.length === 0
  note.textContent = ''
}

function switchOr(name, value) {
  return name === 'cart' ? '' : value.trim()
}

function tagOf(attributes) {
  const isPinned = form.elements.pinned.checked && script !== undefined
  const parts = [
    `src="${location.origin}${isPinned ? script.path : '/widget.js'}"`,
    ...(isPinned ? [`integrity="${script.integrity}"`, 'crossorigin'] : []),
    'async',
    ...attributes.map(([name, value]) => (value === '' ? `data-${name}` : `data-${name}="${escaped(value)}"`)),
  ]
  return `<script\n  ${parts.join('\n  ')}\n></script>`
}

function cssOf(styles) {
  return `manga-assist {\n${styles.map(([name, value]) => `  ${name}: ${value.trim()};`).join('\n')}\n}`
}

function escaped(value) {
  return value.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}

async function copy() {
  const texts = ['#tag', '#css']
    .map((id) => document.querySelector(id))
    .filter((code) => code.closest('[hidden]') === null)
  try {
    await navigator.clipboard.writeText(texts.map((code) => code.textContent).join('\n\n'))
    note.textContent = note.dataset.copied
  } catch {
    // The browser refuses, or the page is not secure: the reader copies the selection.
    getSelection().selectAllChildren(texts[0])
    note.textContent = note.dataset.selected
  }
}
