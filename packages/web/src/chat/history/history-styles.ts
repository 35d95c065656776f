// Styles of the list of conversations.
import { css } from 'lit'

export const historyStyles = css`
  .history {
    flex: 1;
    min-height: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: 8px max(12px, var(--safe-right)) max(12px, var(--safe-bottom)) max(12px, var(--safe-left));
    scrollbar-width: thin;
  }
  .history-head {
    display: flex;
    align-items: center;
    gap: 4px;
  }
  .history-head h3 {
    font-weight: 700;
  }
  .history-head h3:focus {
    outline: none;
  }
  .history-search {
    width: 100%;
    min-height: 44px;
    margin: 4px 0;
    padding: 6px 14px;
    border: 1.5px solid light-dark(#8d8377, #7d7a75);
    border-radius: 14px;
    background: var(--raised);
    color: inherit;
    font: inherit;
    font-size: 16px;
  }
  .history-note {
    padding: 4px 8px;
    color: var(--faint);
    font-size: 14px;
  }
  .history-note:empty {
    padding: 0;
  }
  .history-rows {
    display: grid;
    gap: 2px;
    margin: 4px 0 12px;
  }
  .history-row {
    display: flex;
    align-items: center;
    border-radius: 12px;
  }
  .history-row:hover {
    background: color-mix(in srgb, var(--ink) 6%, transparent);
  }
  .history-open {
    flex: 1;
    min-width: 0;
    min-height: 52px;
    padding: 6px 8px;
    display: grid;
    align-content: center;
    border-radius: 12px;
    text-align: start;
    line-height: 1.45;
  }
  .history-open[aria-current] .history-title {
    font-weight: 700;
  }
  .history-title {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .history-time {
    color: var(--faint);
    font-size: 12.5px;
  }
  .history-confirm {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin: 2px 0 8px;
    padding: 10px 12px;
    border-radius: 12px;
    background: var(--warn);
    font-size: 14px;
  }
  .history-confirm p {
    flex-basis: 100%;
  }
  .plain-button {
    min-height: 44px;
    padding: 6px 18px;
    border: 1px solid var(--faint);
    border-radius: 22px;
    background: var(--raised);
    font-weight: 600;
    font-size: 14px;
  }
  .plain-button.danger {
    border-color: transparent;
    background: var(--ink);
    color: var(--paper);
  }
  .plain-button.everything {
    display: block;
    margin: 16px auto 4px;
    border-color: transparent;
    background: none;
    color: var(--link);
  }
`
