// A table whose rows become cards on a phone: every cell carries its column's name. Rows that lead somewhere have one link, and the
// table one stop for the Tab key.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { keepStop, roveRows } from './rove.ts'

export type Cell = string | number | TemplateResult | typeof nothing

interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row) => Cell
  /** Figures are set to the right. */
  readonly isFigure?: boolean
}

interface TableParts<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly key: (row: Row) => string | number
  /** Makes the first cell the row's link. */
  readonly href?: (row: Row) => string | undefined
  readonly testId?: string
  readonly empty: string
}

export function tableView<Row>({ columns, empty, href, key, label, rows, testId }: TableParts<Row>): TemplateResult {
  if (rows.length === 0) return html`<p class="empty" data-testid="empty">${empty}</p>`
  return html`<table class="data" data-testid=${testId ?? nothing} aria-label=${label}>
    <thead>
      <tr>
        ${columns.map(({ isFigure, name }) => html`<th scope="col" class=${isFigure === true ? 'figure' : ''}>${name}</th>`)}
      </tr>
    </thead>
    <tbody @keydown=${roveRows} @focusin=${keepStop}>
      ${repeat(rows, key, (row, index) => {
        const link = href?.(row)
        return html`<tr data-key=${key(row)}>
          ${columns.map(({ cell, isFigure, name }, column) => {
            const content = cell(row)
            const shown =
              column === 0 && link !== undefined
                ? html`<a href=${link} data-rove tabindex=${index === 0 ? 0 : -1}>${content}</a>`
                : content
            return html`<td data-label=${name} class=${isFigure === true ? 'figure' : ''}>${shown}</td>`
          })}
        </tr>`
      })}
    </tbody>
  </table>`
}
