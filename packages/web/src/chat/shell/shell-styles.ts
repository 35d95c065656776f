// Styles of the element before its panel is loaded: colours, type, the reset and the launcher. Sizes are in px, because a host
// page may set any size for a rem. The inner root starts from `initial`, so that no inherited style of the page has an effect.
// Colours meet WCAG AA in both schemes. A constructed sheet: a strict policy of the page allows no `<style>`.

const base = `
  :host {
    display: block;
  }
  :host([hidden]) {
    display: none !important;
  }
  :host(:not([inline])) {
    all: initial !important;
    position: fixed !important;
    z-index: var(--ma-z-index, 2147483000) !important;
    inset: auto !important;
    width: 0 !important;
    height: 0 !important;
  }
  :host([inline]) {
    height: 560px;
  }
  .root {
    all: initial;
    color-scheme: light dark;
    direction: ltr;
    display: block;
    height: 100%;
    --paper: var(--ma-paper, light-dark(#fdfbf7, #1a1b20));
    --raised: var(--ma-raised, light-dark(#ffffff, #24262d));
    --ink: var(--ma-ink, light-dark(#221e1a, #efebe4));
    --faint: var(--ma-faint, light-dark(#665e55, #aca599));
    --line: var(--ma-line, light-dark(#e4dccf, #3b3e47));
    --fill: var(--ma-accent, light-dark(#b3312b, #ec9388));
    --on-fill: var(--ma-on-accent, light-dark(#ffffff, #2a0e0b));
    --yours: var(--ma-question, light-dark(#f5e7dd, #3a2e2b));
    --link: var(--ma-link, light-dark(#8f2a20, #f2aba2));
    /* In a frame the page measures the edges: a browser may tell them to the page only. */
    --safe-top: var(--ma-safe-top, env(safe-area-inset-top));
    --safe-right: var(--ma-safe-right, env(safe-area-inset-right));
    --safe-bottom: var(--ma-safe-bottom, env(safe-area-inset-bottom));
    --safe-left: var(--ma-safe-left, env(safe-area-inset-left));
    --good: light-dark(#22663a, #86cf9a);
    --few: light-dark(#855000, #f0bd6d);
    --warn: light-dark(#fbf1d8, #3a3220);
    color: var(--ink);
    font: 400 15px/1.7 system-ui;
    font-family: var(
      --ma-font,
      system-ui,
      -apple-system,
      'Hiragino Sans',
      'Noto Sans JP',
      'Noto Sans CJK JP',
      'Yu Gothic UI',
      Meiryo,
      sans-serif
    );
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
    line-break: strict;
    word-break: auto-phrase;
  }
  .root.light {
    color-scheme: light;
  }
  .root.dark {
    color-scheme: dark;
  }
  manga-assist-panel {
    display: contents;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  button,
  textarea {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
    margin: 0;
  }
  button {
    cursor: pointer;
    border: 0;
    background: none;
    padding: 0;
    touch-action: manipulation;
  }
  button:is(:disabled, [aria-disabled='true']) {
    cursor: default;
    opacity: 0.55;
  }
  :focus-visible {
    outline: 3px solid light-dark(#1d5fb4, #8ab8ff);
    outline-offset: 2px;
  }
  h2,
  h3,
  p,
  ul {
    margin: 0;
    padding: 0;
    font-size: inherit;
    font-weight: inherit;
  }
  ul {
    list-style: none;
  }
  .icon {
    width: 20px;
    height: 20px;
    display: block;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`

const launcher = `
  .launcher {
    position: fixed;
    right: max(var(--ma-offset-x, 20px), var(--safe-right));
    bottom: max(var(--ma-offset-y, 20px), var(--safe-bottom));
    display: flex;
    align-items: center;
    gap: 9px;
    min-height: 54px;
    padding: 0 22px 0 18px;
    border-radius: 27px;
    background: var(--fill);
    color: var(--on-fill);
    font-weight: 700;
    box-shadow:
      0 2px 5px rgb(0 0 0 / 0.18),
      0 10px 28px rgb(0 0 0 / 0.22);
    transition: transform 0.15s ease;
  }
  .launcher:hover {
    transform: translateY(-2px);
  }
  .launcher .icon {
    width: 26px;
    height: 26px;
    stroke-width: 1.8;
  }
  .dot {
    position: absolute;
    top: -5px;
    right: 4px;
    min-width: 22px;
    height: 22px;
    padding: 0 5px;
    border-radius: 11px;
    background: #ffd34e;
    color: #221e1a;
    border: 2px solid var(--fill);
    font-size: 12px;
    line-height: 18px;
    text-align: center;
  }
  .launcher[aria-busy='true'] {
    cursor: progress;
  }
  .left .launcher {
    right: auto;
    left: max(var(--ma-offset-x, 20px), var(--safe-left));
  }
  .launcher-note:not(.unseen) {
    position: fixed;
    right: max(var(--ma-offset-x, 20px), var(--safe-right));
    bottom: calc(max(var(--ma-offset-y, 20px), var(--safe-bottom)) + 66px);
    max-width: min(300px, calc(100vw - 40px));
    padding: 9px 14px;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--warn);
    font-size: 14px;
    line-height: 1.5;
  }
  .left .launcher-note {
    right: auto;
    left: max(var(--ma-offset-x, 20px), var(--safe-left));
  }
  @media (max-width: 560px) {
    .launcher {
      min-height: 58px;
      padding: 0 16px;
      border-radius: 29px;
    }
    .launcher span:not(.dot) {
      display: none;
    }
    .root[data-tucked] .launcher:not(:focus-visible, :has(.dot:not([hidden]))) {
      /* Not with visibility: a hidden button is not in the order of the keyboard. */
      transform: translateY(calc(100% + 40px));
      transition: transform 0.2s ease;
    }
  }
  @media (forced-colors: active) {
    .launcher {
      border: 2px solid ButtonText;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`

let sheet: CSSStyleSheet | undefined

/** One sheet for all elements of the page. */
export function shellSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(base + launcher)
  }
  return sheet
}
