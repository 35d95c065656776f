// Styles of the thumbs below an answer, and of the field for a reason.
import { css } from 'lit'

export const ratingStyles = css`
  .rating {
    display: grid;
    gap: 6px;
  }
  .thumbs {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    /* The icons stand in line with the text, their larger targets around them. */
    margin: -8px -13px;
  }
  .thumb {
    display: grid;
    place-items: center;
    width: 44px;
    height: 44px;
    border-radius: 50%;
    color: var(--faint);
  }
  .thumb .icon {
    width: 18px;
    height: 18px;
    stroke-width: 1.8;
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
  @media (hover: hover) {
    .thumb:hover {
      background: color-mix(in srgb, var(--ink) 8%, transparent);
    }
    .thumb:hover:not([aria-pressed='true']) {
      color: var(--ink);
    }
  }
  .thumb:focus-visible {
    outline-offset: -4px;
  }
  .rating-note {
    padding: 0 6px;
    color: var(--faint);
    font-size: 12.5px;
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
`
