// Styles of the small buttons, what a reader can do with an answer that has ended, its origin and sources, the edit of a question, and
// earlier versions.
import { css } from 'lit'

export const actionStyles = css`
  .action {
    display: grid;
    place-items: center;
    width: 44px;
    height: 44px;
    border-radius: 50%;
    color: var(--faint);
  }
  .action .icon {
    width: 18px;
    height: 18px;
    stroke-width: 1.8;
  }
  .action:focus-visible {
    outline-offset: -4px;
  }
  /* Outside of the bubble, at its start. */
  .edit {
    position: absolute;
    inset-inline-end: 100%;
    top: 0;
  }
  @media (hover: hover) {
    .action:hover:not(:disabled) {
      background: color-mix(in srgb, var(--ink) 8%, transparent);
    }
    .action:hover:not([aria-pressed='true'], :disabled) {
      color: var(--ink);
    }
    /* Older answers are quiet. The focus reaches what is not visible, and makes it so. */
    .exchange:not(.last, :hover, :focus-within) :is(.action-row, .edit) {
      opacity: 0;
    }
  }
  .small-button {
    min-height: 44px;
    padding: 0 14px;
    border: 1px solid var(--line);
    border-radius: 22px;
    background: var(--raised);
    font-size: 13px;
    font-weight: 600;
  }
  .small-button.primary {
    border-color: var(--fill);
    background: var(--fill);
    color: var(--on-fill);
  }
  .small-button[aria-pressed='true'] {
    border-color: var(--link);
    background: var(--yours);
    color: var(--link);
  }
  @media (hover: hover) {
    .small-button:not(.primary):hover {
      border-color: var(--faint);
    }
  }
  .actions {
    display: grid;
    gap: 6px;
  }
  .action-row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    /* The icons stand in line with the text, their larger targets around them. */
    margin: -8px -13px;
  }
  .thumbs {
    display: flex;
  }
  .thumb.down .icon {
    transform: rotate(180deg);
  }
  .thumb[aria-pressed='true'] {
    color: var(--link);
  }
  .thumb[aria-pressed='true'] .icon {
    fill: currentColor;
  }
  .time {
    padding: 0 6px;
    color: var(--faint);
    font-size: 12.5px;
    visibility: hidden;
  }
  .exchange:focus-within .time,
  .time.shown {
    visibility: visible;
  }
  .action-note {
    padding: 0 6px;
    color: var(--faint);
    font-size: 12.5px;
  }
  @media (hover: hover) {
    .exchange:hover .time {
      visibility: visible;
    }
  }
  .reason {
    margin-top: 6px;
    padding-block: 0;
  }
  .reason input {
    flex: 1;
    min-width: 0;
    min-height: 44px;
    padding: 0;
    border: 0;
    outline: 0;
    background: none;
    color: inherit;
    font: inherit;
    /* Below 16px, iOS zooms the page when the field is tapped. */
    font-size: 16px;
  }
  .reason input::placeholder {
    color: var(--faint);
    opacity: 1;
  }
  .reason .round {
    width: 44px;
    height: 44px;
    background: none;
    color: var(--link);
  }
  .remark {
    padding-inline-start: 10px;
    border-inline-start: 3px solid var(--few);
    font-size: 13.5px;
    overflow-wrap: anywhere;
  }
  .origin {
    color: var(--faint);
    font-size: 12.5px;
  }
  .origin a {
    color: inherit;
    text-underline-offset: 3px;
  }
  .edit-form {
    display: grid;
    gap: 6px;
    padding: 8px 8px 8px 14px;
    border-radius: 18px;
  }
  .edit-buttons {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 8px;
  }
  .earlier {
    justify-self: end;
    max-width: 100%;
    color: var(--faint);
    font-size: 13px;
  }
  .earlier summary {
    display: flex;
    align-items: center;
    justify-content: flex-end;
    min-height: 44px;
    cursor: pointer;
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .earlier[open] {
    justify-self: stretch;
  }
  .earlier-pair {
    display: grid;
    gap: 6px;
    margin-bottom: 8px;
    padding: 10px 12px;
    border: 1px dashed var(--line);
    border-radius: 12px;
  }
  .earlier-question {
    font-weight: 600;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
`
