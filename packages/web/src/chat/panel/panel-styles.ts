// Styles of the panel's layouts, its head and its menu. A panel, and not the window, is what is narrow: it may be docked, or part
// of a page.
import { css } from 'lit'

const layoutStyles = css`
  .panel {
    container: panel / inline-size;
  }
  .panel.at-left {
    right: auto;
    left: 20px;
  }
  .panel.wide {
    width: min(640px, calc(100vw - 40px));
    height: calc(100dvh - 40px);
  }
  .panel.dock {
    inset: 0 0 0 auto;
    width: 420px;
    height: 100dvh;
    border-width: 0 0 0 1px;
    border-radius: 0;
    box-shadow: none;
    animation: none;
  }
  .panel.dock.at-left {
    inset: 0 auto 0 0;
    border-width: 0 1px 0 0;
  }
  .panel.full {
    inset: 0;
    width: auto;
    height: 100dvh;
    border: 0;
    border-radius: 0;
  }
  .panel.full :is(.scroller, .foot, .history) {
    padding-inline: max(16px, calc(50% - 380px));
  }
  .panel.phone {
    inset: var(--ma-top, 0px) 0 auto 0;
    width: auto;
    height: var(--ma-height, 100dvh);
    border: 0;
    border-radius: 0;
    padding-inline: var(--safe-left) var(--safe-right);
  }
`

const headStyles = css`
  .head {
    display: flex;
    align-items: center;
    gap: 2px;
    padding: 8px 8px 8px 16px;
    padding-top: max(8px, var(--safe-top));
    border-bottom: 1px solid var(--line);
    background: var(--raised);
  }
  .head h2 {
    display: flex;
    align-items: center;
    gap: 9px;
    flex: 1;
    min-width: 0;
    font-weight: 700;
    font-size: 16px;
    line-height: 1.25;
  }
  .name {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .badge {
    display: none;
    place-items: center;
    flex: none;
    width: 32px;
    height: 32px;
    border-radius: 10px;
    background: var(--fill);
    color: var(--on-fill);
  }
  @container panel (min-width: 480px) {
    .badge {
      display: grid;
    }
  }
  /* The panel floats at 410 pixels with its border: only phones are narrower. */
  @container panel (width < 405px) {
    .wide-only {
      display: none !important;
    }
    .head h2 {
      font-size: 15px;
    }
  }
  @container panel (width >= 405px) {
    .narrow-only {
      display: none !important;
    }
  }
  .tool {
    display: grid;
    place-items: center;
    flex: none;
    min-width: 40px;
    height: 44px;
    padding: 0 9px;
    border-radius: 10px;
    color: var(--faint);
    font-size: 13px;
    font-weight: 600;
  }
  .tool:hover,
  .tool[aria-expanded='true'],
  .tool[aria-pressed='true'] {
    background: color-mix(in srgb, var(--ink) 8%, transparent);
    color: var(--ink);
  }
  @media (pointer: coarse) {
    .tool {
      min-width: 44px;
    }
  }
  /* At a zoom of 400 % the log needs what the head can spare. */
  @media (max-height: 420px) {
    .head {
      padding-block: 0;
    }
    .hint,
    .to-latest {
      display: none;
    }
  }
`

const menuStyles = css`
  .menu {
    position: relative;
    flex: none;
  }
  .menu-items {
    position: absolute;
    top: calc(100% + 4px);
    right: 0;
    z-index: 2;
    width: max-content;
    min-width: 160px;
    max-width: calc(100cqi - 24px);
    padding: 6px;
    border: 1px solid var(--line);
    border-radius: 14px;
    background: var(--raised);
    box-shadow: 0 8px 28px rgb(0 0 0 / 0.24);
  }
  .menu > .tool .icon {
    stroke-width: 3;
  }
  .menu-item {
    display: flex;
    align-items: center;
    gap: 10px;
    width: 100%;
    min-height: 44px;
    padding: 4px 12px;
    border-radius: 10px;
    text-align: start;
    font-size: 14px;
  }
  .menu-item:hover {
    background: color-mix(in srgb, var(--ink) 8%, transparent);
  }
  .menu-item[aria-pressed='true'] {
    font-weight: 700;
  }
  .menu-item[aria-pressed='true']::after {
    content: '✓';
    margin-inline-start: auto;
  }
  @media (forced-colors: active) {
    .tool[aria-pressed='true'],
    .tool[aria-expanded='true'],
    .round,
    .question {
      border: 1px solid ButtonText;
    }
  }
`

export const panelStyles = [layoutStyles, headStyles, menuStyles]
