// One field of a form: its label, its control and its hint. Used by the dialog of changes and by filters. Its value is where the operator
// begins: what is typed then stays, however often the form is rendered, because the screen polls while someone writes.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { ActionField } from '../shell/host.ts'

export function fieldView(field: ActionField): TemplateResult {
  return html`<label class="field">
    <span>${field.label}</span>
    ${controlOf(field)} ${field.hint === undefined ? nothing : html`<small>${field.hint}</small>`}
  </label>`
}

function controlOf(field: ActionField): TemplateResult {
  const { isRequired = false, name, value = '' } = field
  switch (field.kind) {
    case 'choice':
      return html`<select name=${name} ?required=${isRequired}>
        ${field.choices.map(
          (choice) => html`<option value=${choice.value} .selected=${choice.value === value}>${choice.label}</option>`,
        )}
      </select>`
    case 'number':
      return html`<input
        type="number"
        inputmode="decimal"
        name=${name}
        .value=${value}
        min=${field.min ?? nothing}
        max=${field.max ?? nothing}
        step=${field.step ?? 'any'}
        ?required=${isRequired}
      />`
    case 'day':
      return html`<input type="date" name=${name} .value=${value} ?required=${isRequired} />`
    case 'time':
      return html`<input type="datetime-local" name=${name} .value=${value} ?required=${isRequired} />`
    case 'text':
      return html`<input
        type="text"
        name=${name}
        .value=${value}
        maxlength=${field.lengthMax ?? 256}
        ?required=${isRequired}
        autocapitalize="off"
        spellcheck="false"
      />`
  }
}
