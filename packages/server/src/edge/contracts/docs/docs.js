// The page of the contracts, made from the two documents that programs read: it contains no facts of its own, so it cannot
// be out of date.
import { element, fieldsOf, json, prose, shapeId, table, typeOf } from './render.js'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const content = document.querySelector('#content')
const contents = document.querySelector('#contents')

async function read(path) {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}

/** A section with its entry in the contents; `parts` are [id, label, node]. */
function section({ id, title, intro }, parts) {
  contents.append(
    element('h2', {}, element('a', { href: `#${id}` }, title)),
    element(
      'ul',
      {},
      parts.map(([part, label]) => element('li', {}, element('a', { href: `#${part}` }, label))),
    ),
  )
  const nodes = parts.map(([, , node]) => node)
  return element('section', { 'aria-labelledby': id }, element('h2', { id }, title), intro, nodes)
}

function operations({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method] !== undefined).map((method) => {
      const { operationId, summary } = methods[method]
      const badge = element('span', { class: `method ${method}` }, method.toUpperCase())
      const label = [badge.cloneNode(true), ' ', element('code', {}, path)]
      const title = element('h3', { id: operationId }, badge, ' ', element('code', {}, path))
      return [operationId, label, element('article', {}, title, element('p', {}, summary), operation(methods[method]))]
    }),
  )
}

function operation({ description, parameters, requestBody, responses }) {
  const { 200: success, ...refusals } = responses
  const streamed = success.content['text/event-stream']
  const answered = success.content['application/json']
  return [
    description === undefined ? undefined : element('p', { class: 'note' }, prose(description)),
    parameters.length === 0 ? undefined : [element('h4', {}, 'Parameters'), parameterTable(parameters)],
    requestBody === undefined
      ? undefined
      : [element('h4', {}, 'Body'), element('p', {}, typeOf(requestBody.content['application/json'].schema))],
    element('h4', {}, 'Answer'),
    answered === undefined ? undefined : answer(answered.schema),
    streamed === undefined
      ? undefined
      : element('p', {}, 'As an event stream: ', separated(streamed['x-events'].map(typeOf)), '.'),
    element('h4', {}, 'Refusals'),
    element('p', { class: 'codes' }, refusalCodes(refusals)),
  ]
}

/** The content of the envelope, which is the same for all of `/api`; elsewhere the schema itself. */
function answer(schema) {
  if (schema.properties?.success === undefined) return element('p', {}, typeOf(schema))
  const { data, metadata } = schema.properties
  return table(
    ['Part', 'What'],
    [
      [element('code', {}, 'data'), typeOf(data)],
      [element('code', {}, 'metadata'), typeOf(metadata)],
    ],
  )
}

function parameterTable(parameters) {
  return table(
    ['Name', 'In', 'What'],
    parameters.map(({ description, in: place, name, required, schema }) => [
      [element('code', {}, name), required ? undefined : element('small', {}, ' optional')],
      place,
      [...typeOf(schema), note(description ?? schema.description)],
    ]),
  )
}

function note(text) {
  return text === undefined ? undefined : element('p', { class: 'note' }, prose(text))
}

function refusalCodes(refusals) {
  const codes = Object.values(refusals).flatMap(
    ({ description }) => description.match(/\b[A-Z]+(?:_[A-Z]+)*(?=:)/g) ?? [],
  )
  return separated(codes.map((code) => [element('a', { href: `#error-${code}` }, code)]))
}

function separated(lists) {
  return lists.flatMap((list, index) => (index === 0 ? list : [', ', ...list]))
}

function messages({ channels, components, operations: known }) {
  const { messages: named, schemas } = components
  const sent = new Set(
    Object.values(known)
      .filter(({ action }) => action === 'receive')
      .flatMap((one) => one.messages.map(({ $ref }) => $ref.split('/').at(-1))),
  )
  return Object.keys(channels.socket.messages).map((type) => {
    const { examples, payload, summary } = named[type]
    const direction = sent.has(type) ? 'client → server' : 'server → client'
    const schema = schemas[payload.$ref.split('/').at(-1)]
    const node = element(
      'article',
      {},
      element('h3', { id: `frame-${type}` }, element('code', {}, type), ' ', element('small', {}, direction)),
      element('p', {}, prose(summary)),
      fieldsOf(schema),
      element('h4', {}, 'Example'),
      json(examples[0].payload),
    )
    return [`frame-${type}`, [element('code', {}, type), sent.has(type) ? ' →' : ' ←'], node]
  })
}

function socketIntro({ channels, info }) {
  const { address, bindings, description, 'x-close-codes': closes } = channels.socket
  return [
    element('p', {}, prose(info.description)),
    element('p', {}, prose(`At \`${address}\`. ${description}`)),
    element('h3', { id: 'handshake' }, 'The handshake'),
    table(
      ['Part', 'Name', 'What'],
      [
        ...Object.entries(bindings.ws.query.properties).map(([name, schema]) => partOf('query', name, schema)),
        ...Object.entries(bindings.ws.headers.properties).map(([name, schema]) => partOf('header', name, schema)),
      ],
    ),
    element('h3', { id: 'close-codes' }, 'Close codes'),
    table(
      ['Code', 'What it means'],
      closes.map((close) => [element('code', {}, String(close.code)), prose(close.description)]),
    ),
  ]
}

function partOf(part, name, schema) {
  return [part, element('code', {}, name), [...typeOf(schema), note(schema.description)]]
}

function errors(catalogue) {
  const rows = Object.entries(catalogue).map(([code, { message, retryAfterMs, status }]) => [
    element('code', { id: `error-${code}` }, code),
    String(status),
    retryAfterMs === undefined ? '–' : `${retryAfterMs / 1000} s`,
    [element('p', { lang: 'ja' }, message.ja), element('p', { lang: 'en' }, message.en)],
  ])
  return table(['Code', 'Status', 'Wait', 'What the shopper reads'], rows)
}

function shapes(schemas) {
  return Object.entries(schemas)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, schema]) => [
      shapeId(name),
      element('code', {}, name),
      element(
        'article',
        {},
        element('h3', { id: shapeId(name) }, element('code', {}, name)),
        schema.properties === undefined ? element('p', {}, typeOf(schema)) : fieldsOf(schema),
      ),
    ])
}

function httpIntro({ components, info }) {
  const ways = Object.entries(components.securitySchemes).map(
    ([name, { description, in: place, name: key, scheme }]) => [
      element('code', {}, name),
      prose(
        place === undefined ? `\`Authorization: ${scheme}\`. ${description}` : `${place} \`${key}\`. ${description}`,
      ),
    ],
  )
  return [
    element('p', {}, prose(info.description)),
    element(
      'p',
      {},
      prose(
        'Every answer of `/api` is `{ "success": true, "data": …, "metadata": … }`, every refusal `{ "success": false, "error": …, "metadata": … }`; what follows names what is inside. `/v1` answers in OpenAI’s own shapes.',
      ),
    ),
    element('h3', { id: 'identity' }, 'Who is asking'),
    element('p', {}, 'Without any of these a caller is a new guest.'),
    table(['Way', 'What'], ways),
  ]
}

async function show() {
  const [http, socket] = await Promise.all([read('/openapi.json'), read('/asyncapi.json')])
  const all = { ...socket.components.schemas, ...http.components.schemas }
  content.replaceChildren(
    section({ id: 'http', title: 'HTTP', intro: httpIntro(http) }, operations(http)),
    section({ id: 'websocket', title: 'WebSocket', intro: socketIntro(socket) }, messages(socket)),
    section(
      {
        id: 'errors',
        title: 'Errors',
        intro: [
          element(
            'p',
            {},
            'The same codes on every transport. Programs act on the code; the words are for the shopper.',
          ),
          errors(http['x-errors']),
        ],
      },
      [],
    ),
    section({ id: 'shapes', title: 'Shapes', intro: undefined }, shapes(all)),
  )
  // The address may name an element that did not exist when the page was loaded.
  if (location.hash !== '') document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
}

show()
  .catch((error) =>
    content.replaceChildren(element('p', { role: 'alert' }, `The contracts cannot be read: ${error.message}`)),
  )
  .finally(() => content.removeAttribute('aria-busy'))
