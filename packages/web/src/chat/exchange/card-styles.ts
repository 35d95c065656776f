// Styles of the cards below an answer, their buttons, and the comparison.
import { css } from 'lit'

export const cardStyles = css`
  .cards {
    display: grid;
    gap: 8px;
  }
  .card {
    position: relative;
    display: grid;
    grid-template-columns: 58px 1fr;
    gap: 12px;
    padding: 10px;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--raised);
  }
  .card.bare {
    grid-template-columns: 1fr;
    padding-inline: 14px;
  }
  @media (hover: hover) {
    .card:hover {
      border-color: var(--faint);
    }
    .card-title[href]:hover {
      text-decoration: underline;
      text-underline-offset: 3px;
    }
  }
  .card .cover {
    width: 58px;
    height: 87px;
    border-radius: 3px 5px 5px 3px;
    box-shadow: 0 1px 4px rgb(0 0 0 / 0.28);
  }
  .card-body {
    display: grid;
    align-content: start;
    gap: 1px;
    min-width: 0;
    font-size: 13px;
    line-height: 1.5;
  }
  .card-title {
    color: inherit;
    font-size: 15px;
    font-weight: 700;
    text-decoration: none;
    overflow-wrap: anywhere;
  }
  /* Makes the whole card clickable, not only its title. */
  .card-title[href]::after {
    content: '';
    position: absolute;
    inset: 0;
    border-radius: 12px;
  }
  .card-title:focus-visible {
    outline: none;
  }
  .card-title:focus-visible::after {
    outline: 3px solid light-dark(#1d5fb4, #8ab8ff);
    outline-offset: 2px;
  }
  .card-other,
  .card-facts {
    color: var(--faint);
    font-size: 12.5px;
    overflow-wrap: anywhere;
  }
  .card-buy {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 2px 12px;
    margin-top: 3px;
  }
  .card-buy strong {
    font-size: 15px;
    font-weight: 700;
  }
  .card-buy small {
    font-size: 12px;
    color: var(--faint);
  }
  .stock {
    font-weight: 600;
    color: var(--good);
  }
  .stock.few {
    color: var(--few);
  }
  .stock.out {
    color: var(--faint);
  }
  .why {
    margin-top: 4px;
    padding-top: 5px;
    border-top: 1px dashed var(--line);
  }
  /* Above the link that covers the card. */
  .card-buttons {
    position: relative;
    z-index: 1;
    grid-column: 1 / -1;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .cart {
    flex: 1;
    display: flex;
    align-items: center;
    justify-content: flex-end;
    gap: 6px;
    padding: 0;
    border: 0;
    background: none;
  }
  .cart:focus-within {
    box-shadow: none;
  }
  .cart select {
    min-height: 44px;
    max-width: 6em;
    padding: 0 4px;
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--paper);
    color: inherit;
    font: inherit;
    /* Below 16px, iOS zooms the page when the field is tapped. */
    font-size: 16px;
  }
  .cart-note:empty {
    display: none;
  }
  .cart-note {
    flex-basis: 100%;
    text-align: end;
    font-size: 12.5px;
    color: var(--faint);
  }
  .cart-note a {
    display: inline-block;
    padding: 12px 4px;
    color: var(--link);
  }
  .cart-note.added {
    color: var(--good);
    font-weight: 600;
  }
  .card-buttons .small-button {
    padding: 0 11px;
  }
  /* Stays in view while the cards above it do not fit: it is what the press of "Compare" leads to. Above the buttons of the cards. */
  .compare-hint {
    position: sticky;
    bottom: -4px;
    z-index: 2;
    padding: 6px 12px;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--raised);
    box-shadow: 0 2px 10px rgb(0 0 0 / 0.16);
    font-size: 13px;
    color: var(--faint);
  }
  .compare-hint button {
    width: 100%;
  }
  .compare {
    display: grid;
    gap: 10px;
    min-width: 0;
  }
  .compare-scroll {
    overflow-x: auto;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--raised);
  }
  .compare table {
    width: 100%;
    border-collapse: collapse;
    font-size: 13px;
    line-height: 1.5;
  }
  .compare caption {
    padding: 8px 10px 4px;
    text-align: start;
    font-weight: 700;
  }
  .compare :is(th, td) {
    padding: 6px 10px;
    border-top: 1px solid var(--line);
    text-align: start;
    vertical-align: top;
    overflow-wrap: anywhere;
    min-width: 6.5em;
  }
  .compare thead :is(th, td) {
    border-top: 0;
    font-weight: 700;
  }
  .compare tbody th {
    min-width: 5em;
    font-weight: 400;
    color: var(--faint);
  }
  .compare-buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
`
