// Styles of the panel. Colours, type and the reset are in shell/shell-styles.ts, which is in the same shadow root. Sizes are in
// px, because a host page may set any size for a rem.
import { css } from 'lit'
import { composeStyles } from './compose/compose-styles.ts'
import { answerStyles } from './exchange/answer-styles.ts'
import { panelStyles } from './panel/panel-styles.ts'

const frame = css`
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
  .inline .panel {
    position: static;
    width: 100%;
    height: 100%;
    min-height: 360px;
    box-shadow: none;
    animation: none;
  }
  .scroller {
    /* Contains the unseen words of the log. Without it they lengthen the panel, and a focus far down scrolls its head away. */
    position: relative;
    flex: 1;
    min-height: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    /* The chat keeps the place itself when earlier turns are put above. */
    overflow-anchor: none;
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
  .foot {
    position: relative;
    padding: 8px 12px 10px;
    padding-bottom: max(10px, var(--safe-bottom));
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
    /* One line: the field is one line high while it is empty. */
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .round {
    display: grid;
    place-items: center;
    flex: none;
    width: 44px;
    height: 44px;
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
`

export const chatStyles = [frame, ...panelStyles, answerStyles, composer, composeStyles]
