// Styles of the chat. Sizes are in px, because a host page may set any size for a rem. The inner root starts from
// `initial`, so that no inherited style of the page has an effect. Colours meet WCAG AA in both schemes.
import { css } from 'lit'
import { answerStyles } from './answer-styles.ts'
import { ratingStyles } from './rating-styles.ts'

const base = css`
  :host {
    display: block;
  }
  :host([hidden]) {
    display: none !important;
  }
  :host(:not([inline])) {
    all: initial !important;
    position: fixed !important;
    z-index: 2147483000 !important;
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
    --paper: light-dark(#fdfbf7, #1a1b20);
    --raised: light-dark(#ffffff, #24262d);
    --ink: light-dark(#221e1a, #efebe4);
    --faint: light-dark(#665e55, #aca599);
    --line: light-dark(#e4dccf, #3b3e47);
    --fill: var(--ma-accent, light-dark(#b3312b, #ec9388));
    --on-fill: var(--ma-on-accent, light-dark(#ffffff, #2a0e0b));
    --yours: light-dark(#f5e7dd, #3a2e2b);
    --link: light-dark(#8f2a20, #f2aba2);
    --good: light-dark(#22663a, #86cf9a);
    --few: light-dark(#855000, #f0bd6d);
    --warn: light-dark(#fbf1d8, #3a3220);
    color: var(--ink);
    font:
      400 15px/1.7 system-ui,
      -apple-system,
      'Hiragino Sans',
      'Noto Sans JP',
      'Noto Sans CJK JP',
      'Yu Gothic UI',
      Meiryo,
      sans-serif;
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
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
  button:disabled {
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

const frame = css`
  .launcher {
    position: fixed;
    right: max(20px, env(safe-area-inset-right));
    bottom: max(20px, env(safe-area-inset-bottom));
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
    top: 4px;
    right: 8px;
    width: 13px;
    height: 13px;
    border-radius: 50%;
    background: #ffd34e;
    border: 2px solid var(--fill);
  }
  .panel {
    display: flex;
    flex-direction: column;
    overflow: hidden;
    background: var(--paper);
    position: fixed;
    right: 20px;
    bottom: 20px;
    width: min(410px, calc(100vw - 40px));
    height: min(680px, calc(100dvh - 40px));
    border: 1px solid var(--line);
    border-radius: 18px;
    box-shadow:
      0 4px 10px rgb(0 0 0 / 0.1),
      0 24px 64px rgb(0 0 0 / 0.28);
    animation: rise 0.18s ease-out;
  }
  .panel:focus {
    outline: none;
  }
  @keyframes rise {
    from {
      opacity: 0;
      transform: translateY(14px);
    }
  }
  .left .launcher,
  .left .panel {
    right: auto;
    left: max(20px, env(safe-area-inset-left));
  }
  .inline .panel {
    position: static;
    width: 100%;
    height: 100%;
    min-height: 360px;
    box-shadow: none;
    animation: none;
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
    .floating .panel {
      inset: var(--ma-top, 0px) 0 auto 0;
      width: auto;
      height: var(--ma-height, 100dvh);
      border: 0;
      border-radius: 0;
    }
  }
  header {
    display: flex;
    align-items: center;
    gap: 4px;
    padding: 10px 10px 10px 16px;
    padding-top: max(10px, env(safe-area-inset-top));
    border-bottom: 1px solid var(--line);
    background: var(--raised);
  }
  header h2 {
    display: flex;
    align-items: center;
    gap: 9px;
    flex: 1;
    min-width: 0;
    font-weight: 700;
    font-size: 16px;
    white-space: nowrap;
  }
  .badge {
    display: grid;
    place-items: center;
    flex: none;
    width: 32px;
    height: 32px;
    border-radius: 10px;
    background: var(--fill);
    color: var(--on-fill);
  }
  .tool {
    display: grid;
    place-items: center;
    min-width: 40px;
    height: 40px;
    padding: 0 9px;
    border-radius: 10px;
    color: var(--faint);
    font-size: 13px;
    font-weight: 600;
  }
  .tool:hover {
    background: color-mix(in srgb, var(--ink) 8%, transparent);
    color: var(--ink);
  }
  .scroller {
    flex: 1;
    min-height: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: 18px 16px 8px;
    display: flex;
    flex-direction: column;
    gap: 22px;
    scrollbar-width: thin;
  }
  .scroller:focus-visible {
    outline-offset: -3px;
  }
  /* In the flow: over the log it would lie on a card. */
  .to-latest {
    display: flex;
    align-items: center;
    gap: 6px;
    min-height: 44px;
    margin: -8px auto 0;
    padding: 0 14px;
    color: var(--faint);
    font-size: 13px;
    font-weight: 600;
  }
  .to-latest:hover {
    color: var(--ink);
  }
  .to-latest .icon {
    width: 16px;
    height: 16px;
  }
`

const composer = css`
  footer {
    position: relative;
    padding: 8px 12px 10px;
    padding-bottom: max(10px, env(safe-area-inset-bottom));
    border-top: 1px solid var(--line);
    background: var(--raised);
  }
  .notice {
    margin: 0 0 8px;
    padding: 7px 12px;
    border-radius: 10px;
    background: var(--warn);
    font-size: 13px;
  }
  form {
    display: flex;
    align-items: flex-end;
    gap: 8px;
    margin: 0;
    padding: 5px 5px 5px 14px;
    border: 1.5px solid light-dark(#8d8377, #7d7a75);
    border-radius: 20px;
    background: var(--paper);
  }
  form:focus-within {
    border-color: light-dark(#1d5fb4, #8ab8ff);
    box-shadow: 0 0 0 1px light-dark(#1d5fb4, #8ab8ff);
  }
  textarea {
    flex: 1;
    min-width: 0;
    max-height: 148px;
    padding: 6px 0;
    border: 0;
    outline: 0;
    resize: none;
    background: none;
    /* Below 16px, iOS zooms the page when the field is tapped. */
    font-size: 16px;
    line-height: 1.5;
    overflow-y: auto;
    scrollbar-width: thin;
  }
  /* The form around the field shows the focus. */
  textarea:focus-visible {
    outline: 0;
  }
  textarea::placeholder {
    color: var(--faint);
    opacity: 1;
  }
  .round {
    display: grid;
    place-items: center;
    flex: none;
    width: 38px;
    height: 38px;
    border-radius: 50%;
    background: var(--fill);
    color: var(--on-fill);
  }
  .round.stop {
    background: var(--ink);
    color: var(--paper);
  }
  .round.stop .icon {
    fill: currentColor;
    width: 18px;
    height: 18px;
  }
  .hint {
    margin: 7px 4px 0;
    color: var(--faint);
    font-size: 11.5px;
    line-height: 1.5;
    text-align: center;
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

export const chatStyles = [base, frame, answerStyles, composer, ratingStyles]
