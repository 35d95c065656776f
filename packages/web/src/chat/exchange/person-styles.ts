// Styles of the way to a person: the offer below an answer, and the form at the end of the log.
import { css } from 'lit'

export const personStyles = css`
  .person-offer {
    display: grid;
    justify-items: start;
    gap: 8px;
    font-size: 13.5px;
    overflow-wrap: anywhere;
  }
  .person {
    display: grid;
    gap: 8px;
    padding: 14px;
    border: 1px solid var(--line);
    border-radius: 14px;
    background: var(--raised);
    font-size: 14px;
    overflow-wrap: anywhere;
  }
  /* It stands directly below the last answer. */
  .scroller:has(.person) .exchange:last-of-type {
    min-height: 0;
  }
  .person-title {
    font-size: 16px;
    font-weight: 700;
  }
  .person-title:focus {
    outline: none;
  }
  .person-passes {
    padding-inline-start: 20px;
    list-style: disc;
  }
  .person-form {
    display: grid;
    gap: 6px;
    padding: 0;
    border: 0;
    background: none;
  }
  .person-form:focus-within {
    box-shadow: none;
  }
  .person-form input {
    width: 100%;
    min-height: 44px;
    padding: 0 12px;
    border: 1.5px solid light-dark(#8d8377, #7d7a75);
    border-radius: 10px;
    background: var(--paper);
    color: inherit;
    font: inherit;
    /* Below 16px, iOS zooms the page when the field is tapped. */
    font-size: 16px;
  }
  .person-problem:empty {
    display: none;
  }
  .person-problem {
    color: var(--few);
    font-weight: 600;
  }
  .person-buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .person-contact {
    color: var(--faint);
    font-size: 12.5px;
  }
  .person a {
    color: var(--link);
    text-underline-offset: 3px;
  }
`
