// Markup as a value. Every text that is put into a template is escaped, in an attribute too; only other markup is not. Attributes
// are always quoted.

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** `undefined` and `false` show nothing. */
export type HtmlValue = Html | string | number | undefined | false | readonly HtmlValue[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(literals.reduce((text, literal, index) => text + shown(values[index - 1]) + literal))
}

export const NOTHING = new Html('')

/** An attribute with the space before it; nothing for `undefined` and `false`, and only its name for `true`. */
export function attribute(name: string, value: string | number | boolean | undefined): Html {
  if (value === undefined || value === false) return NOTHING
  return new Html(value === true ? ` ${name}` : ` ${name}="${escaped(String(value))}"`)
}

/** A block of data for programs that read the page. No text in it can end the block. */
export function dataBlock(type: string, data: object): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return new Html(`<script type="${escaped(type)}" data-page>${json}</script>`)
}

function shown(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(shown).join('')
  return escaped(String(value))
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
