// Elements and schemas for the page of the contracts. Everything is set as text: a document cannot inject markup.

/** `children` are nodes, texts or lists of them; undefined ones are left out. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value)
  made.append(...children.flat(Infinity).filter((child) => child !== undefined))
  return made
}

/** A sentence of a document, in which `backticks` mark code. */
export function prose(text) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)))
}

export function table(headings, rows) {
  const head = element(
    'tr',
    {},
    headings.map((heading) => element('th', { scope: 'col' }, heading)),
  )
  const body = rows.map((cells) =>
    element(
      'tr',
      {},
      cells.map((cell) => element('td', {}, cell)),
    ),
  )
  // A scrollable region must be reachable by keyboard.
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': headings.join(', ') },
    element('table', {}, element('thead', {}, head), element('tbody', {}, body)),
  )
}

export function json(value) {
  return element('pre', { tabindex: '0' }, element('code', {}, JSON.stringify(value, null, 2)))
}

export const shapeId = (name) => `shape-${name}`

const nameIn = ($ref) => $ref.split('/').at(-1)

/** A schema as a TypeScript type: a name, a union, a list. */
export function typeOf(schema) {
  if (schema.$ref !== undefined)
    return [element('a', { href: `#${shapeId(nameIn(schema.$ref))}` }, nameIn(schema.$ref))]
  if (schema.const !== undefined) return [element('code', {}, JSON.stringify(schema.const))]
  if (schema.enum !== undefined) return joined(schema.enum.map((value) => typeOf({ const: value })))
  if (schema.anyOf !== undefined) return joined(schema.anyOf.map(typeOf))
  if (schema.type === 'array') return ['list of ', ...typeOf(schema.items)]
  if (schema.type === 'object' && schema.properties !== undefined) return [fieldsOf(schema)]
  return [schema.type ?? 'anything', limitsOf(schema)]
}

function joined(types) {
  return types.flatMap((type, index) => (index === 0 ? type : [' | ', ...type]))
}

function limitsOf({ default: standard, maximum, maxLength, minimum, minLength, pattern }) {
  const facts = [
    between(minimum, maximum),
    between(minLength, maxLength, 'characters'),
    pattern,
    standard === undefined ? undefined : `${standard} when absent`,
  ].filter((fact) => fact !== undefined)
  return facts.length === 0 ? undefined : element('small', {}, ` ${facts.join(', ')}`)
}

function between(least, most, unit = '') {
  if (least === undefined && most === undefined) return undefined
  if (least === undefined) return `at most ${most} ${unit}`.trim()
  return most === undefined ? `at least ${least} ${unit}`.trim() : `${least} to ${most} ${unit}`.trim()
}

/** The fields of an object, one per row. */
export function fieldsOf({ properties, required = [] }) {
  const rows = Object.entries(properties).map(([name, schema]) => [
    [element('code', {}, name), required.includes(name) ? undefined : element('small', {}, ' optional')],
    [
      ...typeOf(schema),
      schema.description === undefined ? undefined : element('p', { class: 'note' }, prose(schema.description)),
    ],
  ])
  return rows.length === 0 ? element('p', { class: 'note' }, 'No fields.') : table(['Field', 'What'], rows)
}
