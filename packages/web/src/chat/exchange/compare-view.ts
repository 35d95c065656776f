// Two or three series side by side, as a table with headers that a screen reader reads with each cell. The facts are those
// of the cards; the difference in words is a question to the assistant.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { languageOf } from '../../language.ts'
import type { Exchange, Product } from '../conversation/exchange.ts'
import { compareRows, comparedMin, differenceQuestion } from './compare.ts'
import type { EndedContext } from './ended.ts'

export function compareView({ id, products }: Exchange, context: EndedContext) {
  const { say, endedTools } = context
  const { chosen, shownIn } = endedTools.comparison
  if (shownIn === id) return tableView(chosen, context)
  const isHere = products.some((product) => chosen.some((one) => one.id === product.id))
  if (shownIn !== undefined || !isHere) return nothing
  // One alone: the hint says what to do next.
  if (chosen.length < comparedMin)
    return html`<p class="compare-hint" role="status" data-testid="chat-compare-hint">${say('compareMore')}</p>`
  return html`<p class="compare-hint">
    <button
      class="small-button primary"
      type="button"
      data-testid="chat-compare"
      @click=${() => endedTools.comparison.show(id)}
    >
      ${say('compareShow', chosen.length)}
    </button>
  </p>`
}

function tableView(chosen: readonly Product[], context: EndedContext): TemplateResult {
  const { say, language, endedTools, free } = context
  return html`<div class="compare" data-testid="chat-compare-table">
    <div class="compare-scroll" tabindex="0" role="region" aria-label=${say('compareCaption')}>
      <table>
        <caption>
          ${say('compareCaption')}
        </caption>
        <thead>
          <tr>
            <td></td>
            ${chosen.map(({ title }) => html`<th scope="col" lang=${languageOf(title[language])}>${title[language]}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${compareRows(chosen, language).map(
            ({ word, cells }) =>
              html`<tr>
                <th scope="row">${say(word)}</th>
                ${cells.map((cell) =>
                  cell === undefined
                    ? html`<td>
                        <span class="unseen">${say('compareUnknown')}</span><span aria-hidden="true">–</span>
                      </td>`
                    : html`<td lang=${languageOf(cell)}>${cell}</td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <span class="compare-buttons">
      <button
        class="small-button primary"
        type="button"
        data-testid="chat-compare-ask"
        ?disabled=${!free}
        @click=${() => endedTools.askAbout(differenceQuestion(chosen, language))}
      >
        ${say('compareAsk')}
      </button>
      <button
        class="small-button"
        type="button"
        data-testid="chat-compare-close"
        @click=${() => endedTools.comparison.close()}
      >
        ${say('compareClose')}
      </button>
    </span>
  </div>`
}
